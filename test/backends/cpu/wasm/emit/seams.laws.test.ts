import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openCpu } from '../../../../../backends/cpu/index.js'
import { emitKernel } from '../../../../../backends/cpu/wasm/emit/kernel.js'
import { atSeams } from '../../../../../backends/cpu/wasm/emit/seams.js'
import { printFunction } from '../../../../../backends/cpu/wasm/wat.js'
import { inFull, interpret, type Kernel, type Plan } from '../../../../../compiler/index.js'
import { concat, f32, flip, mul, pad, program, rotary, sizeOf, sub } from '../../../../../dsl/index.js'
import { law } from '../../../../law.js'
import { right } from '../../../../right.js'
import { load, must, planned, some } from '../../../opened.js'

const device = openCpu({ threads: 1 })
afterAll(() => device.release())

/** What has a seam where two parts meet, where padding begins and ends, and where the same, read backwards, has its own. */
const joined = (left: number, right: number, before: number, after: number) =>
  program({
    inputs: { x: f32({ row: sizeOf('row'), k: left }), y: f32({ row: sizeOf('row'), k: right }) },
    body: ({ x, y }) => {
      const both = pipe(x, pad('k', { before }), (padded) => concat('k')(padded, y))
      return { outputs: { turned: mul(both, pipe(both, flip('k'))), shifted: pipe(sub(both, 1), pad('k', { before, after })) } }
    },
  })

const cut = (kernel: Kernel): Kernel => ({ ...kernel, ...atSeams({ space: kernel.space, body: inFull(kernel) }, 100) })

/** The plan with each kernel cut, whose space has lost the loop that was. */
const cutPlan = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => {
  const kernels = plan.kernels.map(cut)
  return {
    ...plan,
    kernels,
    commands: plan.commands.map((command) => {
      if (command.tag === 'copy') return command
      const left = kernels[command.kernel]!.space.map(({ index }) => index)
      const isLeft = plan.kernels[command.kernel]!.space.map(({ index }) => left.includes(index))
      return { ...command, extents: command.extents.filter((_, i) => isLeft[i]) }
    }),
  }
}

const size = fc.nat({ max: 9 })
const text = (outputs: unknown): string =>
  JSON.stringify(outputs, (_, value: unknown) => (Object.is(value, -0) ? '-0' : ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value)) // prettier-ignore

law(
  'a kernel cut at its seams has the bits of the one that chooses, and so has its module',
  fc.asyncProperty(size, size, size, size, fc.nat({ max: 3 }), async (left, right_, before, after, rows) => {
    const p = joined(left, right_, before, after)
    const inputs = { x: some(rows, left), y: some(rows, right_) }
    const { outputs } = right(interpret(planned(p))(inputs))
    expect(text(right(interpret(cutPlan(planned(p)))(inputs)).outputs)).toBe(text(outputs))
    expect(text(await must((await load(device, p)).run(inputs)))).toBe(text(outputs))
  }),
)

test('the halves that rotary positions turn are read and written four at a time, and nothing is chosen', () => {
  const p = program({
    inputs: { x: f32({ time: sizeOf('time'), head: 2, headDim: 32 }) },
    body: ({ x }) => ({ outputs: { turned: pipe(x, rotary('headDim', { base: 500, positions: 'time' })) } }),
  })
  const { kernels } = planned(p)
  const body = printFunction(emitKernel(kernels.at(-1)!, 'turned', false, []).fn)
  expect(body.match(/select|f32\.load|f32\.store/g)).toBeNull()
  expect(body.match(/v128\.store/g)).toHaveLength(2)
})
