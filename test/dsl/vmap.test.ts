import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import {
  type AnyTensor,
  build,
  contract,
  custom,
  exp,
  f32,
  graphErrors,
  mul,
  nested,
  program,
  rename,
  type Scalar,
  softmax,
  sum,
  tanh,
  type Tensor,
  vmap,
} from '../../dsl/index.js'
import { run } from '../autodiff/run.js'
import { here } from './here.js'

const inputs = { xs: f32('batch', 'embed'), w: f32('embed') }
const values = { xs: nested([[1, 2], [3, 4], [5, 6]]), w: nested([10, 1]) } // prettier-ignore

/** Of tensors of its own axes alone: a function that multiplied over the batch would be another. */
const score = (x: Tensor<'embed'>, w: Tensor<'embed'>): Scalar => contract('embed')(x, w)

const rows = (made: ReturnType<typeof run>): readonly unknown[] => made.map(({ axes, data }) => [axes, Array.from(data)])

describe('a function mapped over an axis', () => {
  test('has that axis in its result, and is the function at each of its indices', () => {
    const made = run(inputs, values, ({ xs, w }) => {
      const scores = vmap('batch')(score)(xs, w)
      expectTypeOf(scores).toEqualTypeOf<Tensor<'batch'>>()
      return [scores, vmap('batch')(softmax('embed')<never>)(xs)]
    })

    expect(made[0]).toMatchObject({ axes: ['batch'], data: Float64Array.of(12, 34, 56) })
    expect(made[1]!.axes).toEqual(['batch', 'embed'])
    expect(made[1]!.data[0]).toBeCloseTo(1 / (1 + Math.E), 12)
  })

  test('takes and gives trees, and repeats what does not depend on the axis', () => {
    const made = run(inputs, values, ({ xs, w }) =>
      vmap('batch')((p: { readonly x: typeof w }, all: readonly [typeof w]) => ({ product: mul(p.x, all[0]), same: exp(all[0]) }))(
        { x: xs },
        [w],
      ),
    )

    expect(rows(made)).toEqual([
      [['batch', 'embed'], [10, 2, 30, 4, 50, 6]],
      [['batch', 'embed'], Array.from({ length: 3 }).flatMap(() => [Math.exp(10), Math.exp(1)])],
    ]) // prettier-ignore
  })

  test('may have the axis anywhere, and more than one at a time', () => {
    const made = run({ xs: f32('embed', 'batch'), ws: f32('embed', 'head') }, { xs: nested([[1, 3], [2, 4]]), ws: nested([[10, 0], [1, 1]]) }, ({ xs, ws }) => [
      vmap('head')(vmap('batch')(score))(xs, ws),
    ]) // prettier-ignore

    expect(rows(made)).toEqual([[['head', 'batch'], [12, 34, 2, 4]]]) // prettier-ignore
  })

  test('gives the gradient of each example apart', () => {
    const made = run(inputs, values, ({ xs, w }) => {
      const each = vmap('batch')((x: Tensor<'embed'>) => grad((v: Tensor<'embed'>) => tanh(mul(score(x, v), 0.01)))(w))(xs)
      const all = grad((v: Tensor<'embed'>) => pipe(tanh(mul(vmap('batch')(score)(xs, v), 0.01)), sum('batch')))(w)
      return [pipe(each, sum('batch')), all]
    })

    expect(made[0]!.axes).toEqual(['embed'])
    expect(made[1]!.data[0]).toBeCloseTo(made[0]!.data[0]!, 12)
    expect(made[1]!.data[1]).toBeCloseTo(made[0]!.data[1]!, 12)
  })

  test('maps a derivative of one’s own with it', () => {
    const weighted = custom({
      name: 'weighted',
      forward: (x: Tensor<'embed'>, w: Tensor<'embed'>) => mul(x, w),
      vjp: (ct, _y, x, w) => [mul(ct, mul(w, 2)), mul(ct, mul(x, 3))],
    })
    const made = run(inputs, values, ({ xs, w }) => {
      const total = (p: { readonly xs: typeof xs; readonly w: typeof w }) => pipe(vmap('batch')(weighted)(p.xs, p.w), sum('batch', 'embed'))
      return grad(total)({ xs, w })
    })

    expect(rows(made)).toEqual([
      [['batch', 'embed'], [20, 2, 20, 2, 20, 2]],
      [['embed'], [3 * 9, 3 * 12]],
    ]) // prettier-ignore
  })

  test('may have an axis of the same name inside', () => {
    const turned = (x: Tensor<'embed'>): Tensor<'embed'> =>
      pipe(x, rename({ embed: 'batch' }), softmax('batch'), rename({ batch: 'embed' }))
    const made = run(inputs, values, ({ xs }) => [vmap('batch')(turned)(xs), vmap('batch')(softmax('embed')<never>)(xs)])

    expect(made[0]).toEqual(made[1])
  })
})

describe('is an error of the program', () => {
  const errorsOf = (body: (p: { readonly xs: Tensor<'batch' | 'embed'>; readonly w: Tensor<'embed'> }) => AnyTensor) =>
    graphErrors(program({ inputs, body: (p) => ({ outputs: { y: body(p) } }) }))

  test('that no argument has the axis', () => {
    let at = 0
    expect(errorsOf(({ xs, w }) => ((at = here().line), vmap('head')(contract('embed'))(xs, w) as AnyTensor))).toMatchObject([
      { tag: 'noSuchAxis', op: 'vmap', axis: 'head', has: ['batch', 'embed'], at: { line: at } },
    ])
  })

  test('that the axis has two sizes', () => {
    const short = build.sliceBetween('batch', 1, undefined, 1)
    expect(errorsOf(({ xs }) => vmap('batch')(score)(xs, short(xs) as typeof xs))).toMatchObject([
      { tag: 'sizesDiffer', op: 'vmap', axis: 'batch' },
    ])
  })

  test('that the result has an axis of that name', () => {
    expect(errorsOf(({ xs }) => vmap('batch')((x: Tensor<'embed'>) => mul(xs, x) as AnyTensor as Tensor<'embed'>)(xs))).toMatchObject([
      { tag: 'axisExists', op: 'vmap', axis: 'batch', has: ['batch', 'embed'] },
    ])
  })
})
