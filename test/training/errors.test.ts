import { expect, test } from 'vitest'
import { sizeOf } from '../../dsl/index.js'
import { renderTrainError } from '../../training/index.js'

test('a quantity that is not finite is named with its step and value', () =>
  expect(renderTrainError({ tag: 'notFinite', step: 7, quantity: 'loss', value: NaN })).toMatchInlineSnapshot(`
    "step 7
      because: loss is NaN
      try: lower the learning rate or the gradient norm; look for a logarithm or a division of 0 in the loss"
  `))

test('whatever a program is refused for follows its name', () => {
  const at = { file: 'loss.ts', line: 3, column: 5 }
  const size = sizeOf('time')
  const notPlanned = renderTrainError({
    tag: 'notPlanned',
    program: 'GRPO',
    errors: [{ tag: 'sizesDiffer', op: 'sub', axis: 'time', left: size, right: size, at }],
  })
  const refused = renderTrainError({ tag: 'refused', program: 'GRPO', error: { tag: 'outOfMemory', device: 'cpu 1', asked: 8, limit: 4 } })
  const run = renderTrainError({
    tag: 'runFailed',
    program: 'GRPO',
    errors: [
      { tag: 'wrongRank', path: 'inputs.x', axes: ['batch'], sizes: [] },
      { tag: 'deviceLost', device: 'cpu 1', because: 'it was unplugged' },
    ],
  })
  expect(notPlanned).toMatch(/^GRPO:\nsub at loss.ts:3:5\n {2}because: /)
  expect(refused).toMatch(/^GRPO:\n8 bytes on cpu 1\n {2}because: /)
  expect(run).toMatch(/^GRPO:\ninputs.x is given 0 sizes\n[^]*\na run on cpu 1\n {2}because: /)
})
