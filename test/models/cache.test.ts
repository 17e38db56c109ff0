import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { type Device, isDeviceTensor } from '../../backends/backend.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { costOfPlan, plan } from '../../compiler/index.js'
import {
  countOf,
  type HostTensor,
  i32,
  isSpec,
  leaves,
  mapTree,
  nested,
  program,
  random,
  sizeOf,
  sizes,
  type Value,
} from '../../dsl/index.js'
import {
  type CacheSpecs,
  cacheSpecs,
  type DecoderConfig,
  decoderSpecs,
  initialParameters,
  logits,
  nextCached,
  type ValuesOf,
} from '../../models/index.js'
import { allAgree, errorBounds } from '../../verify/index.js'
import { openedForAll } from '../backends/webgpu/opened.js'
import { law } from '../law.js'
import { isValue } from '../is-value.js'
import { right } from '../right.js'
import { onCpu } from '../training/tiny.js'

const software = openedForAll()

type Rows = readonly (readonly number[])[]

/** Reads so many tokens behind a cache: `time` a number, or open. */
const reading = (config: DecoderConfig, time: number | sizes.Size) =>
  program({
    inputs: {
      params: decoderSpecs(config),
      new: { ids: i32({ batch: sizeOf('batch'), time }), starts: i32('batch'), slots: i32('seen') },
      lasts: i32('batch'),
    },
    state: { cache: cacheSpecs(config) },
    body: (given, state) => {
      const { logits: next, cache } = nextCached(config)(given.params, state.cache, given.new, given.lasts)
      return { outputs: { logits: next }, state: { cache } }
    },
  })

const forward = (config: DecoderConfig) =>
  program({
    inputs: { params: decoderSpecs(config), ids: i32('batch', 'time') },
    body: ({ params, ids }) => ({ outputs: { logits: logits(config)(params, ids) } }),
  })

/** What a run is given for chunks of tokens behind so many in each row. */
const chunkOf = (chunk: Rows, starts: readonly number[]) => {
  const time = Math.max(...chunk.map((row) => row.length))
  const seen = Math.max(...chunk.map((row, i) => starts[i]! + row.length))
  return {
    new: {
      ids: nested(chunk.map((row) => [...row, ...Array.from({ length: time - row.length }, () => 0)])),
      starts: nested(starts),
      slots: nested(Array.from({ length: seen }, (_, i) => i)),
    },
    lasts: nested(chunk.map((row) => row.length - 1)),
  }
}

/** A cache full of what nobody put there. */
const littered = (config: DecoderConfig, batch: number, slot: number): ValuesOf<CacheSpecs> => {
  const bound = new Map([['batch', batch], ['slot', slot]]) // prettier-ignore
  return mapTree(isSpec)(({ axes }, path): Value => {
    const shape = axes.map(({ size }) => sizes.evaluateSize(size, bound)!)
    const own = random.fold(random.key(5), path.length)
    return { sizes: shape, data: Float32Array.from({ length: countOf(shape) }, (_, i) => 100 * random.normal(own, i)) }
  })(cacheSpecs(config)) as ValuesOf<CacheSpecs>
}

const lastLogits = (whole: HostTensor): readonly number[] => [...whole.data].slice(-whole.sizes[2]!)

/** The logits after each chunk of each row, by a pass over all that the row has said. */
const bySteps = (config: DecoderConfig, params: ReturnType<typeof initialParameters>, chunks: readonly Rows[]) => {
  const whole = forward(config)
  return chunks.map((chunk, step) =>
    chunk.flatMap((_, row) => {
      const ids = chunks.slice(0, step + 1).flatMap((one) => one[row]!)
      return lastLogits(right(evaluate(whole, { params, ids: nested([ids]) })).outputs.logits)
    }),
  )
}

const anyConfig: fc.Arbitrary<DecoderConfig> = fc.record({
  vocab: fc.constant(6),
  embed: fc.constant(4),
  layers: fc.integer({ min: 1, max: 2 }),
  heads: fc.constant(4),
  keyHeads: fc.constantFrom(1, 2, 4),
  headDim: fc.constantFrom(2, 4),
  ffn: fc.constant(3),
  isTied: fc.boolean(),
  hasBias: fc.boolean(),
  hasHeadNorm: fc.boolean(),
})

/** Chunks of different lengths, the same number for every row. */
const anyChunks: fc.Arbitrary<readonly Rows[]> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }))
  .chain(([batch, steps]) => {
    const ids = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 })
    return fc.array(fc.array(ids, { minLength: batch, maxLength: batch }), { minLength: steps, maxLength: steps })
  })

const grown = (starts: readonly number[], chunk: Rows): readonly number[] => starts.map((start, row) => start + chunk[row]!.length)

law(
  'tokens read behind a cache, in whatever chunks, are followed by what follows them in one pass over the whole',
  fc.property(anyConfig, anyChunks, fc.integer({ min: 0, max: 3 }), (config, chunks, spare) => {
    const params = initialParameters(config, random.key(1))
    const expected = bySteps(config, params, chunks)
    const read = reading(config, sizeOf('time'))
    const capacity = Math.max(...chunks.reduce(grown, chunks[0]!.map(() => 0))) + spare // prettier-ignore
    let cache = littered(config, chunks[0]!.length, capacity)
    let starts: readonly number[] = chunks[0]!.map(() => 0)
    chunks.forEach((chunk, step) => {
      const made = right(evaluate(read, { params, ...chunkOf(chunk, starts) }, { cache }))
      made.outputs.logits.data.forEach((x, i) => expect(x).toBeCloseTo(expected[step]![i]!, 9))
      cache = made.state.cache
      starts = grown(starts, chunk)
    })
  }),
  { runs: 15 },
)

const config: DecoderConfig = { vocab: 6, embed: 8, layers: 2, heads: 4, keyHeads: 2, headDim: 4, ffn: 8 }

const withAxes = (cache: ValuesOf<CacheSpecs>) =>
  cacheSpecs(config).map(({ key: { axes } }, layer) =>
    mapTree(isValue)((value) => ({
      ...value,
      axes: axes.map(({ name }) => name),
    }))(cache[layer]),
  )

test('on the CPU device each read gives the logits and the cache of the reference, within what rounding can do', () =>
  onCpu(async (device) => {
    const params = initialParameters(config, random.key(1))
    const chunks: readonly Rows[] = [
      [[1, 2, 3], [4]],
      [[5], [0]],
      [[2], [3]],
    ]
    const held = await Promise.all(
      littered(config, 2, 6).map(async ({ key, value }) => ({
        key: right(await device.hold('f32', key)()),
        value: right(await device.hold('f32', value)()),
      })),
    )
    const readAll = async (): Promise<ValuesOf<CacheSpecs>> => {
      const values = await Promise.all(leaves(isDeviceTensor)(held).map(async ({ value }) => right(await device.read(value)())))
      return held.map((_, layer) => ({ key: values[2 * layer]!, value: values[2 * layer + 1]! }))
    }
    let starts: readonly number[] = [0, 0]
    for (const [step, chunk] of chunks.entries()) {
      const read = reading(config, step === 0 ? sizeOf('time') : 1)
      const loaded = right(await device.load(right(plan(read)))())
      const given = { params, ...chunkOf(chunk, starts) }
      const bounds = right(errorBounds(read, given, { cache: await readAll() }))
      const outputs = right(await loaded.run(given, { cache: held })())
      expect(allAgree(bounds, { outputs, state: { cache: withAxes(await readAll()) } })).toMatchObject({ _tag: 'Right' })
      starts = grown(starts, chunk)
    }
  }))

const one = right(plan(reading(config, 1)))

test('the work for a token grows as the number of tokens before it, whatever room the cache has', () => {
  const { flops } = costOfPlan(one)
  const powers = flops.terms.map(({ atoms }) => atoms.map((atom) => (atom.tag === 'variable' ? atom.name : '?')).sort().join('·')) // prettier-ignore
  expect(powers.sort()).toEqual(['', 'batch', 'batch·seen'])
})

test('the cache is written in place: nothing as large is made or copied', () => {
  expect(one.commands.filter(({ tag }) => tag === 'copy')).toEqual([])
  const made = one.buffers.filter(({ role, elements }) => role.tag === 'made' && sizes.variablesOf(elements).includes('slot'))
  expect(made).toEqual([])
})

/** Rows of which the first has room for its token and the second not. */
const beyond = (params: ReturnType<typeof initialParameters>, starts: readonly number[], lasts: readonly number[]) => ({
  ...{ params, lasts: nested(lasts) },
  new: { ids: nested([[1, 2], [3, 4]]), starts: nested(starts), slots: nested([0, 1, 2, 3]) }, // prettier-ignore
})

test('a row that has read as many tokens as there are slots is refused where the host says so', () => {
  const params = initialParameters(config, random.key(1))
  const made = evaluate(reading(config, 2), beyond(params, [1, 4], [0, 0]), { cache: littered(config, 2, 4) })
  expect(E.isLeft(made) && made.left).toEqual([{ tag: 'idOutOfRange', path: 'inputs.new.starts', axis: 'seen', id: 4, place: 1, limit: 4 }])
})

test.each(['cpu', 'software'] as const)(
  'a last token without a slot has logits that are NaN, on %s, and the other rows have theirs',
  (kind) => {
    const params = initialParameters(config, random.key(1))
    const read = reading(config, 2)
    const made = async (device: Device, starts: readonly number[]) => {
      const cache = await Promise.all(
        littered(config, 2, 4).map(async ({ key, value }) => ({
          key: right(await device.hold('f32', key)()),
          value: right(await device.hold('f32', value)()),
        })),
      )
      const loaded = right(await device.load(right(plan(read)))())
      return right(await loaded.run(beyond(params, starts, [1, 1]), { cache })()).logits.data
    }
    const both = async (device: Device) => {
      const [within, without] = [await made(device, [2, 2]), await made(device, [2, 3])]
      expect([...within].every(Number.isFinite)).toBe(true)
      expect([...without].slice(0, config.vocab)).toEqual([...within].slice(0, config.vocab))
      expect([...without].slice(config.vocab).map(Number.isNaN)).toEqual(Array.from({ length: config.vocab }, () => true))
    }
    return kind === 'cpu' ? onCpu(both) : both(software())
  },
)
