/** What must not compile. Every line below its comment is an error, or tsc reports the comment. */
import { pipe } from 'fp-ts/lib/function.js'
import { grad, vjp } from '../../autodiff/index.js'
import {
  add,
  and,
  bitAnd,
  broadcastLike,
  causalAttention,
  clip,
  concat,
  contract,
  defineLoss,
  div,
  entropy,
  exp,
  f32,
  gather,
  groupMean,
  i32,
  layerNorm,
  less,
  linearRecurrence,
  maskedMean,
  max,
  mean,
  merge,
  mul,
  not,
  oneHot,
  outer,
  program,
  rename,
  rmsNorm,
  rotary,
  type Scalar,
  scatterAdd,
  select,
  slice,
  softmax,
  split,
  std,
  sub,
  sum,
  type Tensor,
  toF32,
  toI32,
  tokenLogProbs,
  variance,
  where,
  withinLength,
} from '../../dsl/index.js'

declare const x: Tensor<'batch' | 'time'>
declare const perVocab: Tensor<'batch' | 'vocab'>
declare const perBatch: Tensor<'batch'>
declare const ids: Tensor<'batch', 'i32'>
declare const mask: Tensor<'batch' | 'time', 'bool'>
declare const heads: Tensor<'batch' | 'time' | 'headDim'>

export const axes = () => [
  // @ts-expect-error a misspelt axis
  pipe(x, sum('tiem')),
  // @ts-expect-error summed just before
  pipe(x, sum('time'), exp, sum('time')),
  // @ts-expect-error the axis is not there
  pipe(x, softmax('vocab')),
  // @ts-expect-error one of two is not there
  pipe(x, mean('batch', 'vocab')),
  // @ts-expect-error the axis is not there
  pipe(x, slice('vocab', { from: 1 })),
  // @ts-expect-error the axis is not there
  pipe(x, rename({ vocab: 'key' })),
  // @ts-expect-error the axis is not there
  pipe(x, split('vocab', { outer: 'chunk', inner: 'place', size: 4 })),
  // @ts-expect-error one of two is not there
  pipe(x, merge('row', { outer: 'batch', inner: 'vocab' })),
  // @ts-expect-error a coefficient of other axes
  linearRecurrence('time')(perVocab, x),
  // @ts-expect-error of other axes
  concat('time')(x, perVocab),
  // @ts-expect-error the axis is not there
  pipe(x, gather('vocab')(ids)),
  // @ts-expect-error the axis is not there
  pipe(x, tokenLogProbs('vocab')(ids)),
  // @ts-expect-error the axis is not there
  pipe(x, entropy('vocab')),
  // @ts-expect-error the axis is not there
  pipe(x, rmsNorm('vocab', { epsilon: 1e-6 })),
  // @ts-expect-error a bias of another axis
  pipe(x, layerNorm('time', { epsilon: 1e-6, bias: perBatch })),
  // @ts-expect-error one of two is not there
  pipe(x, std('batch', 'vocab', { ddof: 1 })),
  // @ts-expect-error the mask has an axis that x lacks
  pipe(perBatch, where(mask)),
  // @ts-expect-error the mask has an axis that x lacks
  pipe(perVocab, maskedMean(mask, 'batch')),
  // @ts-expect-error x lacks the axes of the ids
  pipe(x, groupMean(pipe(ids, oneHot('vocab', { size: 3 }), toI32))),
  // @ts-expect-error x lacks the axis of the positions
  pipe(perVocab, rotary('vocab', { base: 1e4, positions: 'time' })),
  // @ts-expect-error keys of an axis that the queries lack
  causalAttention('time', 'headDim')(pipe(heads, sum('batch')), heads, heads),
  // @ts-expect-error a mask of an axis that the keys lack
  causalAttention('time', 'headDim')(heads, heads, heads, pipe(mask, rename({ batch: 'head' }))),
  // @ts-expect-error no axis is named
  pipe(x, sum()),
  // @ts-expect-error the right side lacks it
  contract('time')(x, perVocab),
  // @ts-expect-error more axes than the target
  pipe(x, broadcastLike(perBatch)),
  // @ts-expect-error x lacks the axes of the ids
  pipe(perVocab, scatterAdd('group', mask as unknown as Tensor<'time', 'i32'>, { size: 3 })),
]

export const nesting = () => [
  // @ts-expect-error neither has all axes of the other
  add(x, perVocab),
  // @ts-expect-error neither has all axes of the other
  less(perVocab, x),
  // @ts-expect-error neither has all axes of the other
  select(mask, perVocab, 0),
]

export const types = () => [
  // @ts-expect-error of types f32 and i32
  mul(x, ids),
  // @ts-expect-error f32 and i32, one narrower
  sub(ids, x),
  // @ts-expect-error f32 and bool
  add(x, mask),
  // @ts-expect-error bools are not added
  add(mask, mask),
  // @ts-expect-error bools are not compared
  less(mask, mask),
  // @ts-expect-error bools are not summed
  pipe(mask, sum('time')),
  // @ts-expect-error integers have no exponential
  exp(ids),
  // @ts-expect-error integers are not divided
  div(ids, ids),
  // @ts-expect-error floats are no integers
  bitAnd(x, 1),
  // @ts-expect-error numbers are no bools
  and(x, x),
  // @ts-expect-error numbers are no bools
  not(x),
  // @ts-expect-error a condition is a bool
  select(x, x, 0),
  // @ts-expect-error branches of two types
  select(mask, x, ids),
  // @ts-expect-error floats do not point
  pipe(x, gather('time')(perBatch)),
  // @ts-expect-error lengths are integers
  pipe(perBatch, withinLength('time', { size: 3 })),
  // @ts-expect-error a mask is a bool
  pipe(x, maskedMean(x, 'time')),
  // @ts-expect-error ddof is said
  pipe(x, variance('time')),
  // @ts-expect-error ddof is 0 or 1
  pipe(x, variance('time', { ddof: 2 })),
  // @ts-expect-error integers do not clip
  pipe(ids, clip(0, 1)),
  // @ts-expect-error integers have no outer product
  outer(ids, ids),
]

// @ts-expect-error the axis batch is left
export const notAScalar: Scalar = pipe(x, max('time'))
// @ts-expect-error a function over one axis does not take two
export const narrow = ((f: (x: Tensor<'batch'>) => Scalar) => f(x))(sum('batch'))

export const programs = () => [
  // @ts-expect-error not a declared input
  program({ inputs: { logProbs: f32('batch') }, body: ({ logProb }) => ({ outputs: { y: logProb } }) }),
  // @ts-expect-error state of other axes
  program({ inputs: { x: f32('batch') }, state: { s: f32() }, body: ({ x }) => ({ outputs: {}, state: { s: x } }) }),
  // @ts-expect-error state of another type
  program({ inputs: { x: i32() }, state: { s: f32() }, body: ({ x }) => ({ outputs: {}, state: { s: x } }) }),
  // @ts-expect-error an axis has a name or a size
  program({ inputs: { x: f32(3) }, body: () => ({ outputs: {} }) }),
]

export const losses = () => [
  // @ts-expect-error not a declared input
  defineLoss({ name: 'l', inputs: { x: f32('time') }, loss: ({ y }) => pipe(y, sum('time')) }),
  // @ts-expect-error the axis batch is left
  defineLoss({ name: 'l', inputs: { x: f32('batch', 'time') }, loss: ({ x }) => pipe(x, sum('time')) }),
  // @ts-expect-error a loss is f32
  defineLoss({ name: 'l', inputs: { ids: i32('time') }, loss: ({ ids }) => pipe(ids, sum('time')) }),
  // @ts-expect-error a number is no spec
  defineLoss({ name: 'l', inputs: { x: f32('time'), beta: 0.1 }, loss: ({ x }) => pipe(x, sum('time')) }),
  // @ts-expect-error a name is no spec, however deep
  defineLoss({ name: 'l', inputs: { layers: [{ x: f32('time'), y: 'f32' }] }, loss: ({ layers: [{ x }] }) => pipe(x, sum('time')) }),
]

export const gradients = () => [
  // @ts-expect-error not a scalar function
  grad((y: Tensor<'batch'>) => exp(y))(perBatch),
  // @ts-expect-error integers have no gradient
  grad((p: { readonly ids: Tensor<'batch', 'i32'> }) => pipe(toF32(p.ids), sum('batch')))({ ids }),
  // @ts-expect-error a number has no gradient
  grad((p: { readonly rate: number }) => pipe(mul(p.rate, perBatch), sum('batch')))({ rate: 1 }),
  // @ts-expect-error a number has no gradient, however deep
  vjp((p: { readonly layers: readonly { readonly rate: number }[] }) => mul(p.layers[0]!.rate, perBatch), { layers: [{ rate: 1 }] }),
]
