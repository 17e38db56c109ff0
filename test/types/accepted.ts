/** What must compile, without a cast: bodies generic in their axes, and results of the types that are written here. */
import { pipe } from 'fp-ts/lib/function.js'
import { grad, vjp } from '../../autodiff/index.js'
import {
  add,
  and,
  attention,
  bitAnd,
  bitsToI32,
  broadcast,
  causalAttention,
  concat,
  contract,
  countTrue,
  cumulativeSum,
  defineLoss,
  entropy,
  exp,
  f32,
  flip,
  foldKey,
  gather,
  gelu,
  groupCount,
  groupMean,
  groupStd,
  groupSum,
  type HostTensor,
  i32,
  iota,
  layerNorm,
  less,
  linearRecurrence,
  type MadeBy,
  maskedMax,
  maskedMean,
  maskedSoftmax,
  maskedStd,
  maskedSum,
  max,
  maximum,
  mean,
  merge,
  mod,
  mul,
  oneHot,
  outer,
  pow,
  program,
  randomCategorical,
  randomUniform,
  relu,
  rename,
  rmsNorm,
  rotary,
  rsqrt,
  sameAxesAs,
  type Scalar,
  scatterAdd,
  scatterSet,
  select,
  silu,
  sizeOf,
  softmax,
  sort,
  type Spec,
  split,
  std,
  sub,
  sum,
  type Tensor,
  toF32,
  topK,
  variance,
  where,
  withinLength,
} from '../../dsl/index.js'

declare const x: Tensor<'batch' | 'time'>
declare const perBatch: Tensor<'batch'>
declare const ids: Tensor<'batch', 'i32'>
declare const mask: Tensor<'batch' | 'time', 'bool'>

export const meets = (): readonly Tensor<'batch' | 'time'>[] => [add(x, perBatch), add(perBatch, x), mul(0.5, x), mul(x, 2), sub(x, x)]
export const scalars = (): readonly Scalar[] => [pipe(x, sum('batch', 'time')), pipe(x, mean('time'), max('batch')), mul(2, 3)]
export const integers: Tensor<'batch', 'i32'> = maximum(add(ids, 1), 0)
export const discounted: Tensor<'batch' | 'time'> = linearRecurrence('time', 'backward')(0.99, x)
export const decayed: readonly Tensor<'batch' | 'time'>[] = [linearRecurrence('time')(x, x), linearRecurrence('time')(perBatch, x)]
export const running: Tensor<'batch', 'i32'> = pipe(ids, cumulativeSum('batch'))
export const best: { readonly values: Tensor<'batch' | 'time'>; readonly ids: Tensor<'batch' | 'time', 'i32'> } = pipe(x, topK('time', 3))
export const ordered: Tensor<'batch', 'i32'> = pipe(ids, sort('batch'))
export const cached: Tensor<'batch' | 'time'> = scatterSet('time', ids)(x, perBatch)
declare const key: Tensor<'word', 'u32'>
export const chance: Tensor<'batch' | 'head'> = pipe(key, foldKey(ids), randomUniform({ head: 4 }))
export const tokens: Tensor<'batch', 'i32'> = pipe(x, randomCategorical('time')(key))
export const turned: Tensor<'batch' | 'time'> = pipe(x, flip('time'))
export const longer: Tensor<'batch', 'i32'> = concat('batch')(ids, ids, flip('batch')(ids))
export const chunks: Tensor<'batch' | 'chunk' | 'place'> = pipe(x, split('time', { outer: 'chunk', inner: 'place', size: 4 }))
export const rows: Tensor<'row'> = pipe(x, merge('row', { outer: 'batch', inner: 'time' }))
export const words: Tensor<'batch', 'i32'> = bitAnd(mod(ids, 5), bitsToI32(pow(perBatch, 2)))
export const counted: Tensor<'batch'> = toF32(ids)
export const compared: Tensor<'batch' | 'time', 'bool'> = and(mask, less(perBatch, 1))
export const chosen: Tensor<'batch' | 'time'> = select(less(perBatch, 0), x, 0)
export const masked: Tensor<'batch' | 'time'> = pipe(x, where(mask))
export const gathered: Tensor<'batch' | 'time'> = pipe(f32Table(), gather('vocab')(ids))
export const scattered: Tensor<'group' | 'time'> = pipe(x, scatterAdd('group', ids, { size: sizeOf('batch') }))
export const product: Tensor<'batch' | 'embed'> = contract('time')(x, f32Weights())
export const pairs: Tensor<'batch' | 'key'> = outer(perBatch, pipe(perBatch, rename({ batch: 'key' })))
export const wide: Tensor<'batch' | 'time' | 'head'> = pipe(x, broadcast({ head: 4 }))
export const places: Tensor<'time', 'i32'> = iota('time', sizeOf('time'))

declare const hidden: Tensor<'batch' | 'time' | 'embed'>
declare const logits: Tensor<'batch' | 'time' | 'vocab'>
declare const perEmbed: Tensor<'embed'>
declare const perRow: Tensor<'batch', 'bool'>

export const active: readonly Tensor<'batch' | 'time'>[] = [relu(x), silu(x), pipe(x, gelu({ approximate: 'none' }))]
export const uncertain: Tensor<'batch' | 'time'> = pipe(logits, entropy('vocab'))
export const normed: readonly Tensor<'batch' | 'time' | 'embed'>[] = [
  pipe(hidden, rmsNorm('embed', { epsilon: 1e-6 })),
  pipe(hidden, rmsNorm('embed', { epsilon: 1e-6, weight: perEmbed })),
  pipe(hidden, layerNorm('embed', { epsilon: 1e-6, weight: perEmbed, bias: perEmbed })),
]
export const hot: Tensor<'batch' | 'vocab'> = pipe(ids, oneHot('vocab', { size: 8 }))
export const padding: Tensor<'batch' | 'time', 'bool'> = pipe(ids, withinLength('time', { size: sizeOf('time') }))
export const lengths: Tensor<'batch'> = pipe(mask, countTrue('time'))
export const maskedWide: Tensor<'batch' | 'time' | 'embed'> = pipe(hidden, where(mask))
export const maskedReductions: readonly Tensor<'batch'>[] = [
  pipe(x, maskedSum(mask, 'time')),
  pipe(x, maskedMean(perRow, 'time')),
  pipe(hidden, maskedMax(mask, 'time', 'embed')),
  pipe(x, maskedStd(mask, 'time', { ddof: 1 })),
]
export const meanOfAll: Scalar = pipe(x, maskedMean(mask, 'batch', 'time'))
export const shares: Tensor<'batch' | 'time'> = pipe(x, maskedSoftmax(mask, 'time'))
export const spreads: readonly Tensor<'batch'>[] = [pipe(x, variance('time', { ddof: 0 })), pipe(x, std('time', { ddof: 1 }))]
export const spread: Scalar = pipe(x, std('batch', 'time', { ddof: 1 }))
export const ofGroups: readonly Tensor<'batch' | 'time'>[] = [
  pipe(x, groupSum(ids)),
  pipe(x, groupMean(ids, { groups: 3, mask })),
  pipe(x, groupStd(ids, { ddof: 1 })),
  pipe(x, groupCount(ids, { mask: perRow })),
]

declare const heads: Tensor<'batch' | 'time' | 'head' | 'headDim'>
declare const shared: Tensor<'batch' | 'time' | 'headDim'>
declare const positions: Tensor<'batch' | 'time', 'i32'>
declare const lastHeads: Tensor<'batch' | 'head' | 'headDim'>

export const rotated: readonly (typeof heads)[] = [
  pipe(heads, rotary('headDim', { base: 1e4, positions: 'time' })),
  pipe(heads, rotary('headDim', { base: 1e4, positions })),
]
export const attended: readonly (typeof heads)[] = [
  causalAttention('time', 'headDim')(heads, heads, heads),
  causalAttention('time', 'headDim', { scale: 1 })(heads, shared, shared, mask),
]
export const fromCache: typeof lastHeads = attention('time', 'headDim')(lastHeads, shared, shared, mask)

function f32Table(): Tensor<'vocab' | 'time'> {
  return pipe(x, rename({ batch: 'vocab' }))
}

function f32Weights(): Tensor<'time' | 'embed'> {
  return pipe(x, rename({ batch: 'embed' }))
}

export const rootMeanSquareNorm =
  <N extends string>(axis: N) =>
  <A extends string>(y: Tensor<A | N>): Tensor<A | N> =>
    mul(y, rsqrt(add(pipe(mul(y, y), mean(axis)), 1e-6)))

export const attend = <A extends string>(
  q: Tensor<A | 'time' | 'embed'>,
  k: Tensor<A | 'time' | 'embed'>,
): Tensor<A | 'time' | 'embed'> => {
  const keys = pipe(k, rename({ time: 'key' }))
  const weights = pipe(contract('embed')(q, keys), softmax('key'))
  return pipe(contract('key')(weights, keys), sameAxesAs(q))
}

interface Layer {
  readonly weight: Tensor<'embed'>
  readonly scales: readonly Scalar[]
}

export const ofTree = (layers: { readonly first: Layer; readonly more: readonly Layer[] }): typeof layers =>
  grad((p: typeof layers) => pipe(exp(p.first.weight), sum('embed')))(layers)

export const inferred: { readonly a: Tensor<'batch'> } = vjp((p) => mul(p.a, x), { a: perBatch }).pull(x)

/** A loss that is generic in the axes of one of its inputs. */
export const weighted = <A extends 'batch' | 'time'>(weights: Spec<A, 'f32'>) =>
  defineLoss({
    name: 'weighted',
    inputs: { x: f32('batch', 'time'), layers: [{ weights }, { weights }] },
    loss: ({ x, layers: [first] }) => pipe(mul(x, first.weights), sum('batch', 'time')),
  })

export const slope = <A extends string>(w: Tensor<A>, total: (x: Tensor<A>) => Scalar) =>
  grad((p: { readonly w: Tensor<A> }) => total(exp(p.w)))({ w })

export const typed = program({
  inputs: { x: f32('batch', 'time'), nested: [{ ids: i32('batch') }] },
  state: { step: f32() },
  body: ({ x, nested: [first] }, { step }) => ({ outputs: { y: pipe(x, sum('time')), first: first.ids }, state: { step: add(step, 1) } }),
})
export const output: Tensor<'batch'> = typed.outputs.y

/** A tree of outputs may be called as a tensor's field is. */
export const nodes = (made: MadeBy<{ readonly node: Tensor<'batch'> }>): HostTensor => made.node
