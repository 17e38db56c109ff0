import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { Device } from '../../../backends/index.js'
import { openWebGpu, type Precision, renderAcquireError, scheduled, usualSettings, wgslTexts } from '../../../backends/webgpu/index.js'
import { interpret } from '../../../compiler/index.js'
import { contract, exp, f32, mul, program, sizeOf, sum } from '../../../dsl/index.js'
import { apart, onDevice, onReference, optimizers } from '../../training/trajectory.js'
import { right } from '../../right.js'
import { load, must, planned, some } from '../opened.js'
import { kind, open } from './opened.js'

const precisions = ['f16-storage', 'f16'] as const satisfies readonly Precision[]

/** Two layers, with what is between them in memory, and a sum over all of it. */
const layers = program({
  inputs: { x: f32({ row: sizeOf('row'), embed: 64 }), up: f32({ embed: 64, hidden: 48 }), down: f32({ hidden: 48, out: 20 }) },
  body: ({ x, up, down }) => {
    const hidden = exp(mul(contract('embed')(x, up), 0.02))
    return { outputs: { y: contract('hidden')(hidden, down), all: sum('row', 'hidden')(hidden) } }
  },
})

const inputs = (rows: number) => ({ x: some(rows, 64), up: some(64, 48), down: some(48, 20) })

/** One of f16's roundings, relatively. */
const unit = 2 ** -11

/** The software adapter from npm has no numbers of 16 bits, and says so below; what the system has, has them. */
const hasHalves = kind === 'webgpu'

const using = async (precision: Precision, use: (device: Device) => Promise<void>): Promise<void> => {
  const device = await open({ precision })
  await use(device)
  await device.release()
}

test('an adapter without numbers of 16 bits says so, and what to do', async () => {
  const opened = await openWebGpu(kind, { ...usualSettings(), precision: 'f16' })()
  if (E.isRight(opened)) await opened.right.release()
  expect(E.isRight(opened)).toBe(hasHalves)
  const said = E.isLeft(opened) ? opened.left : ({ tag: 'noHalves', adapterName: 'another', precision: 'f16' } as const)
  expect(renderAcquireError(said)).toMatch(
    /^f16 on .*\n {2}because: it has no numbers of 16 bits \(shader-f16\)\n {2}try: choose the precision 'f32'/,
  )
})

describe.each(precisions)('%s', (precision) => {
  test('says in the text of a kernel what is rounded, and adds in 32 bits', () => {
    const text = wgslTexts(scheduled(planned(layers), undefined, precision)).join('\n')
    expect(text).toMatch(/array<(vec4<)?f16/)
    expect(/f32\(f16\([^;]* \* f16\(/.test(text)).toBe(precision === 'f16')
    expect(text).not.toMatch(/var acc\d* = f16/)
  })
})

describe.each(hasHalves ? precisions : [])('on an adapter, %s', (precision) => {
  test('is what the interpreter makes of the same plan, to a rounding, with the kernels of f32 and no more for new sizes', async () => {
    await using(precision, async (device) => {
      const loaded = await load(device, layers)
      const { kernels } = loaded.counts()
      for (const rows of [5, 33]) {
        const made = await must(loaded.run(inputs(rows)))
        const { plan } = scheduled(planned(layers), undefined, precision)
        const expected = right(interpret(plan, 4)(inputs(rows))).outputs
        const most = Math.max(...Array.from(expected.y.data, Math.abs))
        made.y.data.forEach((y, i) => expect(Math.abs(y - expected.y.data[i]!)).toBeLessThan(4 * unit * most))
        expect(Math.abs(made.all.data[0]! / expected.all.data[0]! - 1)).toBeLessThan(unit)
      }
      expect(kernels).toBe(planned(layers).kernels.length + 1) // the sum has two halves
      expect(loaded.counts().kernels).toBe(kernels)
    })
  })

  test('is within its roundings of what f32 makes, and not the same', async () => {
    const made = async (how: Precision) => {
      const device = await open({ precision: how })
      const { y } = await must((await load(device, layers)).run(inputs(40)))
      await device.release()
      return y.data
    }
    const [exact, rounded] = [await made('f32'), await made(precision)]
    const most = Math.max(...Array.from(exact, Math.abs))
    const far = Math.max(...Array.from(exact, (y, i) => Math.abs(y - rounded[i]!)))
    expect(far).toBeGreaterThan(0)
    expect(far).toBeLessThan(48 * unit * most)
  })

  test('trains a decoder as f32 does, to a hundredth of its losses', async () => {
    await using(precision, async (device) => {
      const { losses } = apart(await onDevice(device, optimizers.AdamW), onReference(optimizers.AdamW))
      expect(losses).toBeGreaterThan(1e-5)
      expect(losses).toBeLessThan(1e-2)
    })
  })
})
