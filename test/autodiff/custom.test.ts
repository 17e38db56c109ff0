import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { grad, jvp, vjp } from '../../autodiff/index.js'
import { plan, printCommands } from '../../compiler/index.js'
import {
  add,
  clip,
  contract,
  custom,
  defineLoss,
  div,
  exp,
  f32,
  gather,
  graphErrors,
  i32,
  log,
  mul,
  neg,
  printProgram,
  program,
  type Program,
  renderGraphError,
  scatterAdd,
  sizeAlong,
  stopGradient,
  sub,
  sum,
  tanh,
  type Tensor,
  toI32,
} from '../../dsl/index.js'
import { checkGradient } from '../../verify/index.js'
import { here } from '../dsl/here.js'
import { right } from '../right.js'
import { elements, run } from './run.js'

type Line = Tensor<'time'>

const line = (...data: readonly number[]) => ({ sizes: [data.length], data })

/** log(1 + eˣ) with a derivative that does not overflow. */
const logOnePlusExp = custom({
  name: 'log(1 + exp)',
  forward: (x: Line) => log(add(exp(x), 1)),
  vjp: (ct, _y, x) => [mul(ct, sub(1, div(1, add(exp(x), 1))))],
})

/** The cube, whose derivative is said by its result: 3·y/x. */
const cube = custom({
  name: 'cube',
  forward: (x: Line) => mul(mul(x, x), x),
  vjp: (ct, y, x) => [mul(ct, mul(3, div(y, x)))],
})

const reversed = custom({ name: 'reversed', forward: (x: Line) => mul(x, 2), vjp: (ct) => [neg(ct)] })

const clipped = custom({ name: 'clipped', forward: (x: Line) => x, vjp: (ct) => [pipe(ct, clip(-1, 1))] })

/** x, through which half of a derivative passes. */
const halfStopped = (x: Line): Line => add(mul(x, 0.5), mul(stopGradient(x), 0.5))

const total = (f: (x: Line) => Line) => (x: Line) => pipe(f(x), sum('time'))

const along = (x: Line, v: Line) => contract('time')(x, v)

describe('a function with its own derivative', () => {
  test('has the value of its body, and the derivative that it says', () => {
    const made = run({ x: f32('time') }, { x: line(1, -2) }, ({ x }) => [reversed(x), grad(total(reversed))(x), grad(total(cube))(x)])

    expect(made.map(({ data }) => Array.from(data))).toEqual([
      [2, -4],
      [-1, -1],
      [3, 12],
    ])
  })

  test('keeps a number finite that the body’s own derivative does not', () =>
    expect(elements({ x: f32('time') }, { x: line(1000) }, ({ x }) => grad(total(logOnePlusExp))(x))).toEqual([1]))

  test('has as forward mode the transpose of what it says', () => {
    const inputs = { x: f32('time'), v: f32('time') }
    const given = { x: line(1, -2), v: line(10, 100) }

    expect(elements(inputs, given, ({ x, v }) => jvp(reversed, x, v).tangent)).toEqual([-10, -100])
    expect(elements(inputs, given, ({ x, v }) => jvp(cube, x, v).tangent)).toEqual([30, 1200])
  })

  test('is adjoint in its two modes, whatever it says', () => {
    const wrong = custom({
      name: 'wrong',
      forward: (x: Line, w: Tensor<'time' | 'out'>) => contract('time')(x, w),
      vjp: (ct, y, x, w) => [contract('out')(mul(ct, y), exp(w)), mul(mul(w, ct), tanh(x))],
    })
    const [forward, reverse] = run(
      { x: f32('time'), w: f32('time', 'out'), ct: f32('out') },
      { x: line(0.5, -1), w: { sizes: [2, 3], data: [1, 2, 3, -1, 0, 0.5] }, ct: line(1, -2, 4) },
      ({ x, w, ct }) => {
        const f = (p: { readonly x: typeof x; readonly w: typeof w }) => wrong(p.x, p.w)
        const { pull } = vjp(f, { x, w })
        const pulled = pull(ct)
        const direction = { x: tanh(x), w: exp(w) }
        return [
          contract('out')(ct, jvp(f, { x, w }, direction).tangent),
          add(along(pulled.x, direction.x), contract('time', 'out')(pulled.w, direction.w)),
        ]
      },
    )

    expect(forward!.data[0]).toBeCloseTo(reverse!.data[0]!, 12)
    expect(forward!.data[0]).not.toBe(0)
  })

  test('is differentiated again by the expressions of its vjp, and by its own derivative where they use the result', () => {
    const twice = (x: Line) => grad((y: Line) => total(() => grad(total(cube))(y))(y))(x)
    const thrice = (x: Line) => grad((y: Line) => total(() => twice(y))(y))(x)
    const made = run({ x: f32('time') }, { x: line(1, -2) }, ({ x }) => [twice(x), thrice(x)])

    expect(made.map(({ data }) => Array.from(data))).toEqual([
      [6, -12],
      [6, 6],
    ])
  })

  test('gives what its vjp closes over a part in the second derivative, and what its body closes over none in the first', () => {
    const made = run({ x: f32('time'), t: f32() }, { x: line(3), t: 5 }, ({ x, t }) => {
      const scaled = (s: typeof t) => custom({ name: 'scaled', forward: (y: Line) => mul(y, s), vjp: (ct) => [mul(ct, exp(s))] })
      const byX = (s: typeof t) => grad(total(scaled(s)))(x)
      return [grad((s: typeof t) => pipe(scaled(s)(x), sum('time')))(t), byX(t), grad((s: typeof t) => pipe(byX(s), sum('time')))(t)]
    })

    expect(made.map(({ data }) => Array.from(data))).toEqual([[0], [Math.exp(5)], [Math.exp(5)]])
  })

  test('takes several operands, and integers that have no cotangent', () => {
    const rows = custom({
      name: 'rows',
      forward: (table: Tensor<'vocab'>, ids: Tensor<'time', 'i32'>) => pipe(table, gather('vocab')(ids)),
      vjp: (ct, _y, table, ids) => [pipe(ct, scatterAdd('vocab', ids, { size: sizeAlong('vocab')(table) })), 'none'],
    })

    expect(
      elements({ table: f32('vocab'), ids: i32('time') }, { table: line(5, 6, 7), ids: line(2, 0, 2) }, ({ table, ids }) =>
        grad((t: typeof table) => pipe(rows(t, ids), sum('time')))(table),
      ),
    ).toEqual([1, 0, 2])
  })

  test('gives no gradient where it says none', () => {
    const first = custom({ name: 'first', forward: (x: Line, y: Line) => mul(x, y), vjp: (ct, _z, _x, y) => [mul(ct, y), 'none'] })

    expect(
      run({ x: f32('time'), y: f32('time') }, { x: line(2), y: line(3) }, (p) =>
        grad((q: typeof p) => pipe(first(q.x, q.y), sum('time')))(p),
      ).map(({ data }) => Array.from(data)),
    ).toEqual([[3], [0]])
  })

  test('may be made of others like it, in its body and in its vjp', () => {
    const inner = custom({ name: 'inner', forward: (x: Line) => mul(x, x), vjp: (ct, _y, x) => [mul(ct, mul(x, 2))] })
    const outer = custom({ name: 'outer', forward: (x: Line) => inner(inner(x)), vjp: (ct, _y, x) => [mul(ct, mul(4, mul(x, inner(x))))] })
    const loss = defineLoss({ name: 'nested', inputs: { x: f32('time') }, loss: ({ x }) => pipe(outer(x), sum('time')) })

    expect(checkGradient(loss, { runs: 20 }).failure).toBeUndefined()
    expect(elements({ x: f32('time') }, { x: line(2) }, ({ x }) => grad(total((y) => grad(total(outer))(y)))(x))).toEqual([48])
  })
})

describe('without a vjp', () => {
  const body = (x: Line) => tanh(mul(x, x))
  const region = custom({ name: 'body', forward: body })

  test('it is its body, derivative and all', () => {
    const made = run({ x: f32('time') }, { x: line(0.5, -1) }, ({ x }) => [
      grad(total(region))(x),
      grad(total(body))(x),
      jvp(region, x, x).tangent,
      jvp(body, x, x).tangent,
    ])

    expect(made[0]).toEqual(made[1])
    expect(made[2]).toEqual(made[3])
  })
})

describe('the verifier', () => {
  const lossOf = (f: (x: Line) => Line) =>
    defineLoss({ name: 'custom', inputs: { x: f32('time') }, loss: ({ x }) => pipe(f(x), tanh, sum('time')) })

  test('passes a right vjp, to second order', () => expect(checkGradient(lossOf(logOnePlusExp), { runs: 30 }).failure).toBeUndefined())

  test('catches a wrong one', () =>
    expect(checkGradient(lossOf(reversed), { runs: 30 }).failure).toMatchObject({ tag: 'gradientDiffers', order: 1 }))

  test('catches one that is right at first order alone', () => {
    const square = custom({ name: 'square', forward: (x: Line) => mul(x, x), vjp: (ct, _y, x) => [mul(ct, mul(2, pipe(x, halfStopped)))] })
    expect(checkGradient(lossOf(square), { runs: 30 }).failure).toMatchObject({ tag: 'gradientDiffers', order: 2 })
  })

  test('does not hold what is stopped inside the body: the vjp answers for it', () => {
    const square = custom({ name: 'square', forward: (x: Line) => mul(halfStopped(x), x), vjp: (ct, _y, x) => [mul(ct, mul(2, x))] })
    expect(checkGradient(lossOf(square), { runs: 30 }).failure).toBeUndefined()
  })

  test('says of a vjp without a transpose that it has none', () =>
    expect(checkGradient(lossOf(clipped)).failure).toMatchObject({
      tag: 'badGraph',
      errors: [{ tag: 'notLinear', op: "custom 'clipped'" }],
    }))
})

describe('a vjp that is not linear in the cotangent', () => {
  test('has reverse mode', () =>
    expect(elements({ x: f32('time') }, { x: line(0.25, -3) }, ({ x }) => grad((y: Line) => along(clipped(y), y))(x))).toEqual([0.5, -4]))

  test('has no forward mode: an error with the line where it is used', () => {
    let at = 0
    const p = program({
      inputs: { x: f32('time') },
      body: ({ x }) => ({ outputs: { y: jvp((y: Line) => ((at = here().line), clipped(y)), x, x).tangent } }),
    })

    expect(graphErrors(p)).toMatchObject([{ tag: 'notLinear', op: "custom 'clipped'", at: { line: at } }])
  })
})

describe('a vjp that does not fit', () => {
  const wrong = (name: string, vjp: unknown) => custom({ name, forward: (x: Line) => exp(x), vjp: vjp as (ct: Line) => readonly [Line] })
  const errorsOf = (p: Program<unknown, unknown, unknown>) =>
    E.match(
      (errors: readonly { readonly tag: string }[]) => errors,
      () => [],
    )(plan(p))

  test('is told with all that is wrong, and where', () => {
    const lines: number[] = []
    const p = program({
      inputs: { x: f32('time') },
      body: ({ x }) => ({
        outputs: {
          number: (lines.push(here().line), wrong('number', () => [])(x)),
          axes: (lines.push(here().line), wrong('axes', (ct: Line) => [pipe(ct, sum('time'))])(x)),
          dtype: (lines.push(here().line), wrong('dtype', (ct: Line) => [toI32(ct)])(x)),
          inside: wrong('inside', (ct: Line) => [(lines.push(here().line), sub(ct, pipe(ct, sum('tiem' as 'time'))))])(x),
          outside: pipe(x, sum('tmie' as 'time')),
        },
      }),
    })

    expect(errorsOf(p)).toMatchObject([
      { tag: 'cotangentsMissing', op: "custom 'number'", operands: 1, given: 0, at: { line: lines[0] } },
      { tag: 'axesDiffer', op: "custom 'axes', cotangent 0", expected: ['time'], given: [], at: { line: lines[1] } },
      { tag: 'typesDoNotFit', op: "custom 'dtype', cotangent 0", takes: 'f32', given: ['i32'], at: { line: lines[2] } },
      { tag: 'noSuchAxis', axis: 'tiem', at: { line: lines[3] } },
      { tag: 'noSuchAxis', axis: 'tmie' },
    ])
    expect(graphErrors(p).map((error) => renderGraphError(error).split('\n').length)).toEqual([3, 3, 3, 3, 3])
  })

  test('even where an integer is given a cotangent, or the result is no float', () => {
    const ids = custom({
      name: 'ids',
      forward: (x: Tensor<'time', 'i32'>) => add(x, 1),
      vjp: ((ct: unknown) => [ct]) as unknown as () => readonly ['none'],
    })
    const p = program({ inputs: { x: i32('time') }, body: ({ x }) => ({ outputs: { y: ids(x) } }) })

    expect(errorsOf(p).map(({ tag }) => tag)).toEqual(['typesDoNotFit', 'typesDoNotFit'])
  })
})

describe('in a graph', () => {
  const inputs = { x: f32('time') }

  test('equal ones are one node; others are not', () => {
    const double = custom({ name: 'reversed', forward: (x: Line) => mul(x, 2), vjp: (ct) => [mul(ct, 2)] })
    const { a, b, c } = program({ inputs, body: ({ x }) => ({ outputs: { a: reversed(x), b: reversed(x), c: double(x) } }) }).outputs

    expect(b.node).toBe(a.node)
    expect(c.node).not.toBe(a.node)
  })

  test('it is printed with its name, what it is given and its vjp', () => {
    const p = program({
      inputs: { x: f32('time'), t: f32() },
      body: ({ x, t }) => ({
        outputs: { y: custom({ name: 'scaled', forward: (y: Line) => mul(y, t), vjp: (ct) => [mul(ct, exp(t))] })(x) },
      }),
    })

    expect(printProgram(p)).toMatchInlineSnapshot(`
      "inputs.x: f32[time: time]
      inputs.t: f32[]
      %0 = input(inputs.x) : f32[time: time]
      %1 = input(inputs.t) : f32[]
      %2 = mul %0 %1 : f32[time: time]
      %3 = exp %1 : f32[]
      %4 = custom(scaled) %2 %0 %3 : f32[time: time]
        vjp(ct, y, x0, outer0)
        %0 = input(ct) : f32[time: time]
        %1 = input(outer0) : f32[]
        %2 = mul %0 %1 : f32[time: time]
        ct0 = %2
      outputs.y = %4"
    `)
  })

  test('it is gone once the derivative is taken', () => {
    const commands = (f: (x: Line) => Line) => printCommands(right(plan(program({ inputs, body: ({ x }) => ({ outputs: { y: f(x) } }) }))))

    expect(commands(cube)).toBe(commands((x) => mul(mul(x, x), x)))
  })
})
