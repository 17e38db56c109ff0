import { summedTo } from '../../autodiff/index.js'
import { build } from '../../dsl/index.js'
import { type Known, tame } from './known.js'
import { ranges } from './range.js'
import { meeting, type Workshop } from './workshop.js'

const { binary, map } = build
const mul = binary('mul')

/** Each with the derivative that its body has. */
const customs = {
  square: build.custom({ name: 'square', forward: (x) => mul(x, x), vjp: (ct, _y, x) => [mul(ct, mul(x, 2))] }),
  tanh: build.custom({
    name: 'tanh by its result',
    forward: (x) => map('tanh', x),
    vjp: (ct, y) => [mul(ct, binary('sub')(1, mul(y, y)))],
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
    () => ({ x: customs.tanh(x.x), range: ranges.tanh(x.range) }),
    () => ({ x: customs.product(a.x, b.x), range: ranges.mul(a.range, b.range) }),
    () => ({ x: customs.region(x.x), range: ranges.neg(x.range) }),
  ]
  return tame(forms[w.roll(0, forms.length)]!())
}
