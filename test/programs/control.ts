import { summedTo } from '../../autodiff/index.js'
import { type AnyTensor, build, checkpoint as recomputed, type Tensor, topological } from '../../dsl/index.js'
import { type Known, moved, tame } from './known.js'
import { ranges } from './range.js'
import { meeting, type Workshop } from './workshop.js'

const { binary, map } = build
const mul = binary('mul')

/** Each with the derivative that its body has. */
const customs = {
  square: build.custom({ name: 'square', forward: (x) => mul(x, x), vjp: (ct, _y, x) => [mul(ct, mul(x, 2))] }),
  sigmoid: build.custom({
    name: 'sigmoid by its result',
    forward: (x) => map('sigmoid', x),
    vjp: (ct, y) => [mul(ct, mul(y, binary('sub')(1, y)))],
  }),
  product: build.custom({
    name: 'product',
    forward: (x, y) => mul(x, y),
    vjp: (ct, _y, x, y) => [summedTo(x, mul(ct, y)), summedTo(y, mul(ct, x))],
  }),
  region: build.custom({ name: 'region', forward: (x) => map('neg', x) }),
}

/** With a derivative of its own, or a region that only has a name. */
export const custom = (w: Workshop): Known => {
  const x = w.operand(0, ['f32'])
  const [a, b] = meeting(w, x, w.operand(1, ['f32']), w.roll(1, 6))
  const forms = [
    () => ({ x: customs.square(x.x), range: ranges.mul(x.range, x.range) }),
    () => ({ x: customs.sigmoid(x.x), range: ranges.sigmoid(x.range) }),
    () => ({ x: customs.product(a.x, b.x), range: ranges.mul(a.range, b.range) }),
    () => ({ x: customs.region(x.x), range: ranges.neg(x.range) }),
  ]
  return tame(forms[w.roll(0, forms.length)]!())
}

const all = ['f32', 'f32', 'i32', 'u32', 'bool'] as const

const isMade = ({ node }: AnyTensor): boolean => node.tag !== 'constant'

/** A function of a tensor that closes over another; or whatever lies between a tensor and some that it is made of. */
export const checkpoint = (w: Workshop): Known => {
  if (w.roll(0, 2) === 0) {
    const [x, y] = meeting(w, w.operand(0, ['f32']), w.operand(1, ['f32']), w.roll(1, 6))
    const body = (t: AnyTensor): AnyTensor => map('sin', mul(t, y.x))
    return { x: recomputed(body as (t: Tensor<never>) => AnyTensor)(x.x as Tensor<never>), range: ranges.sin(x.range) }
  }
  const k = w.operand(0, all)
  const within = topological([k.x]).filter((x) => x !== k.x && isMade(x))
  const given = within.filter((_, i) => i % (1 + w.roll(1, 4)) === w.roll(2, 3))
  return moved(k, (x) => build.checkpoint(x, given.slice(0, 2)))
}

/** Made once another tensor is. */
export const barrier = (w: Workshop): Known => moved(w.operand(0, all), (x) => build.barrier(x, [w.operand(1, all).x]))
