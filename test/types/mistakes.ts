/** What stands before each mistake. */
const prelude = `
import { pipe } from 'fp-ts/lib/function.js'
import { grad } from 'axgrad/autodiff'
import {
  add, and, causalAttention, concat, contract, defineLoss, exp, f32, gather, type GivenFor, less, maskedMean, mul, program, rename, select, softmax, type Spec, sum, type Tensor, toF32,
} from 'axgrad/dsl'
declare const x: Tensor<'batch' | 'time'>
declare const perVocab: Tensor<'batch' | 'vocab'>
declare const perBatch: Tensor<'batch'>
declare const ids: Tensor<'batch', 'i32'>
declare const mask: Tensor<'batch' | 'time', 'bool'>
declare const heads: Tensor<'batch' | 'time' | 'dim'>
`

/** The mistakes that are made most, one a source. */
export const mistakes: Readonly<Record<string, string>> = {
  'a misspelt axis in a sum': `export const y = pipe(x, sum('tiem'))`,
  'an axis that is summed twice': `export const y = pipe(x, sum('time'), exp, sum('time'))`,
  'a softmax over an axis that is not there': `export const y = softmax('vocab')(x)`,
  'axes that do not nest': `export const y = mul(x, perVocab)`,
  'an integer beside a float': `export const y = add(ids, x)`,
  'a contraction over an axis that one side lacks': `export const y = contract('time')(x, perVocab)`,
  'a rename of an axis that is not there': `export const y = rename({ vocab: 'key' })(x)`,
  'a gather along an axis that is not there': `export const y = gather('vocab')(ids)(x)`,
  'ids that are floats': `export const y = gather('time')(perBatch)`,
  'an input that the loss does not declare': `export const loss = defineLoss({ name: 'l', inputs: { logProbs: f32('time') }, loss: ({ logProb }) => pipe(logProb, sum('time')) })`,
  'an input that the program does not declare': `export const p = program({ inputs: { x: f32('time') }, body: ({ y }) => ({ outputs: { y } }) })`,
  'an input that is not given': `export const given: GivenFor<{ readonly logProbs: Spec<'time', 'f32'> }> = {}`,
  'a loss that is not a scalar': `export const loss = defineLoss({ name: 'l', inputs: { x: f32('batch', 'time') }, loss: ({ x }) => pipe(x, sum('time')) })`,
  'an input that is no spec': `export const loss = defineLoss({ name: 'l', inputs: { x: f32('time'), beta: 0.1 }, loss: ({ x, beta }) => pipe(mul(beta, x), sum('time')) })`,
  'a gradient of what is not a scalar': `export const g = grad((p: typeof x) => sum('time')(p))(x)`,
  'a gradient by integers': `export const g = grad((p: { readonly ids: typeof ids }) => sum('batch')(toF32(p.ids)))({ ids })`,
  'a gradient by a number': `export const g = grad((p: { readonly rate: number }) => sum('batch')(mul(p.rate, perBatch)))({ rate: 1 })`,
  'a comparison of what does not nest': `export const y = less(x, perVocab)`,
  'numbers where bools are meant': `export const y = and(x, x)`,
  'a condition that is not a bool': `export const y = select(x, x, 0)`,
  'a function of floats on integers': `export const y = exp(ids)`,
  'a mask with an axis that is not there': `export const y = maskedMean(mask, 'batch')(perVocab)`,
  'keys with an axis that queries lack': `export const y = causalAttention('time', 'dim')(pipe(heads, sum('batch')), heads, heads)`,
  'parts of other axes': `export const y = concat('time')(x, perVocab)`,
  'state of other axes': `export const p = program({ inputs: { x: f32('batch') }, state: { s: f32() }, body: ({ x }) => ({ outputs: {}, state: { s: x } }) })`,
}

/** Each mistake as a source of its own, by the name of its file. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(mistakes).map((line, i) => [`mistake-${String(i).padStart(2, '0')}.ts`, `${prelude}${line}\n`]),
)
