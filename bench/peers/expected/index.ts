import type { DecoderSizes } from '../inputs/decoder.js'
import { parameterShapes } from '../inputs/decoder.js'
import { type Inputs, inputsOf, type Kind, type Sizes } from '../inputs/index.js'
import type { Workload } from '../workloads.js'
import { decode } from './decoder.js'
import { logProbs } from './log-probs.js'
import { product } from './matrix.js'
import { policyLoss } from './policy-loss.js'
import { twoSteps } from './step.js'

/** Arrays that a contender made, or should have, by name. */
export type Made = Readonly<Record<string, ArrayLike<number>>>

/** The farthest from what was expected, as a part of it: 1e-4 is four digits. */
export interface Deviation {
  readonly of: string
  readonly part: number
}

/** How many products a chain has. */
export const chainLength = 64

const floats = ({ data }: { readonly data: ArrayLike<number> }): Float64Array => Float64Array.from(data)

/** What must come out, in float64, of formulas that share nothing with the library. */
const expected: { readonly [K in Exclude<Kind, 'decoding'>]: (sizes: Sizes[K], inputs: Inputs) => Made } = {
  product: ({ rows, depth, columns }, { a, b }) => ({ c: product(floats(a!), floats(b!), rows, depth, columns) }),
  pointwise: ({ elements }, { x }) => {
    const grad = new Float64Array(elements)
    let value = 0
    x!.data.forEach((at, i) => {
      const [bell, share, bent] = [Math.exp(-at * at), 1 / (1 + Math.exp(-at)), Math.tanh(at)]
      value += (bell * share + bent) / elements
      grad[i] = (bell * share * (1 - share - 2 * at) + 1 - bent * bent) / elements
    })
    return { value: [value], grad }
  },
  tokens: ({ vocab }, { logits, ids, mask }) => {
    const scored = logProbs(logits!.data, ids!.data, vocab)
    const count = floats(mask!).reduce((sum, kept) => sum + kept, 0)
    return {
      value: [scored.value.reduce((sum, logProb, i) => sum + (logProb * mask!.data[i]!) / count, 0)],
      grad: scored.pull(Float64Array.from(mask!.data, (kept) => kept / count)),
    }
  },
  grpo: (_, { logp, old, ref, adv, mask }) => {
    const { value, grad } = policyLoss({ logp: logp!.data, old: old!.data, ref: ref!.data, adv: adv!.data, mask: mask!.data })
    return { value: [value], grad }
  },
  step: twoSteps,
  chain: ({ rows }, { x, w }) => {
    const width = Math.sqrt(w!.data.length)
    return { y: Array.from({ length: chainLength }).reduce<Float64Array>((y) => product(y, floats(w!), rows, width, width), floats(x!)) }
  },
}

/** Against an element's size, or the root mean square of its array where it is less than that. */
const partOff = (got: ArrayLike<number>, want: ArrayLike<number>): number => {
  if (got.length !== want.length) return Infinity
  const size = Math.sqrt(Array.from(want).reduce((sum, x) => sum + x * x, 0) / want.length)
  let worst = 0
  for (let i = 0; i < want.length; i++) {
    const off = Math.abs(got[i]! - want[i]!) / Math.max(Math.abs(want[i]!), size)
    worst = off <= worst ? worst : Number.isNaN(off) ? Infinity : off
  }
  return worst
}

const farthest = (got: Made, want: Made): Deviation =>
  Object.entries(want)
    .map(([of, values]) => ({ of, part: partOff(got[of] ?? [], values) }))
    .reduce((worst, next) => (next.part > worst.part ? next : worst))

/**
 * How much less likely a decoded token is than the likeliest, in float64, behind what was decoded before it; as a part of the logits' size. So
 * one that is as good as the likeliest may stand in its place.
 */
const lessLikely = (sizes: DecoderSizes, inputs: Inputs, decoded: ArrayLike<number>): Deviation => {
  const { batch, vocab } = sizes
  const time = sizes.time - 1
  if (decoded.length !== batch * time) return { of: 'ids', part: Infinity }
  const before = (i: number): number => (i % time === 0 ? inputs['x']!.data[Math.floor(i / time) * sizes.time]! : decoded[i - 1]!)
  const params = Object.fromEntries(parameterShapes(sizes).map(([name]) => [name, floats(inputs[name]!)]))
  const { logits } = decode(
    { ...sizes, time },
    params,
    Int32Array.from({ length: batch * time }, (_, i) => before(i)),
  )
  const size = Math.sqrt(logits.reduce((sum, logit) => sum + logit * logit, 0) / logits.length)
  let part = 0
  for (let i = 0; i < decoded.length; i++) {
    const greatest = logits.subarray(i * vocab, (i + 1) * vocab).reduce((a, b) => Math.max(a, b))
    part = Math.max(part, (greatest - (logits[i * vocab + decoded[i]!] ?? -Infinity)) / size)
  }
  return { of: 'ids', part }
}

/** A judge of what contenders make of a workload: what is expected is computed once. */
export const judgeOf = (workload: Workload, sizes: Workload['sizes']): ((made: Made) => Deviation) => {
  const inputs = inputsOf(workload.kind, workload.name, sizes as never)
  if (workload.kind === 'decoding') return ({ ids = [] }) => lessLikely(sizes as DecoderSizes, inputs, ids)
  const want = (expected[workload.kind] as (sizes: never, inputs: Inputs) => Made)(sizes as never, inputs)
  return (made) => farthest(made, want)
}
