import { describe, expect, test } from 'vitest'
import {
  block,
  br,
  brIf,
  call,
  drop,
  exported,
  f32,
  f64,
  fn,
  i32,
  i64,
  loop,
  set,
  tee,
  when,
  type Expr,
} from '../../../../backends/cpu/wasm/asm.js'
import type { ValType } from '../../../../backends/cpu/wasm/encode.js'
import { mathFunctions } from '../../../../backends/cpu/wasm/math.js'
import { printFunction, printModule } from '../../../../backends/cpu/wasm/wat.js'
import { f32FromBits, f64FromBits } from './from-bits.js'

test('a module with its memory', () => {
  const twice = fn('twice', { p: 'i32' }, null, {}, ({ p }) => [f32.store(p, f32.mul(f32.load(p, { offset: 4, align: 1 }), 2))])
  const memory = { module: 'device', name: 'memory', min: 1, max: 65536, shared: true }
  expect(printModule({ memory, functions: [exported(twice)] })).toMatchInlineSnapshot(`
    "(module
      (import "device" "memory" (memory 1 65536 shared))
      (func $twice (export "twice") (param $p i32)
        (f32.store (local.get $p) (f32.mul (f32.load offset=4 align=1 (local.get $p)) (f32.const 2)))))"
  `)
})

test('a function with a loop', () => {
  const sum = fn('sum', { p: 'i32', n: 'i32' }, 'f32', { i: 'i32', total: 'f32' }, ({ p, n, i, total }) => [
    block('done', [
      loop('next', [
        brIf('done', i32.ge_u(i, n)),
        set(total, f32.add(total, f32.load(i32.add(p, i32.shl(i, 2))))),
        set(i, i32.add(i, 1)),
        br('next'),
      ]),
    ]),
    total,
  ])
  expect(printFunction(sum)).toMatchInlineSnapshot(`
    "(func $sum (param $p i32) (param $n i32) (result f32)
      (local $i i32)
      (local $total f32)
      (block $done
        (loop $next
          (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
          (local.set $total
            (f32.add
              (local.get $total)
              (f32.load (i32.add (local.get $p) (i32.shl (local.get $i) (i32.const 2))))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $next)))
      (local.get $total))"
  `)
})

test('branches, calls and values', () => {
  const half = fn('half', { x: 'f64' }, 'f64', {}, ({ x }) => [f64.mul(x, 0.5)])
  const odd = fn('odd', { x: 'f64' }, 'f64', { y: 'f64' }, ({ x, y }) => [
    when(f64.lt(x, 0), [set(y, -1)], [drop(i32.const(1))]),
    f64.if(f64.eq(tee(y, call(half, { x })), 1), [y], [f64.block('value', [f64.select(f64.gt(x, 3), x, y)])]),
  ])
  expect(printFunction(odd)).toMatchInlineSnapshot(`
    "(func $odd (param $x f64) (result f64)
      (local $y f64)
      (if (f64.lt (local.get $x) (f64.const 0)) (then (local.set $y (f64.const -1))) (else (drop (i32.const 1))))
      (if (result f64)
        (f64.eq (local.tee $y (call $half (local.get $x))) (f64.const 1))
        (then (local.get $y))
        (else
          (block $value (result f64)
            (select (local.get $x) (local.get $y) (f64.gt (local.get $x) (f64.const 3)))))))"
  `)
})

test('one of the mathematical functions', () => {
  expect(printFunction(mathFunctions.tanh.one)).toMatchInlineSnapshot(`
    "(func $tanh (param $x f32) (result f32)
      (local $v0 f64)
      (local $v1 f64)
      (local $v2 f64)
      (local $v3 f64)
      (local $v4 f64)
      (local $v5 f64)
      (local $v6 f64)
      (local.set $v0 (f64.promote_f32 (local.get $x)))
      (local.set $v1
        (f64.max (f64.min (f64.mul (f64.abs (local.get $v0)) (f64.const 2)) (f64.const 160)) (f64.const -160)))
      (local.set $v2 (f64.nearest (f64.mul (local.get $v1) (f64.const 1.4426950408889634))))
      (local.set $v3 (f64.sub (local.get $v1) (f64.mul (local.get $v2) (f64.const 0.6931471805599453))))
      (local.set $v4
        (f64.reinterpret_i64
          (i64.shl (i64.reinterpret_f64 (f64.add (local.get $v2) (f64.const 6755399441056767))) (i64.const 52))))
      (local.set $v5
        (f64.mul
          (f64.add
            (f64.mul
              (f64.add
                (f64.mul
                  (f64.add
                    (f64.mul
                      (f64.add
                        (f64.mul
                          (f64.add
                            (f64.mul
                              (f64.add
                                (f64.mul
                                  (f64.add
                                    (f64.mul (f64.const 0.000024867883453521802) (local.get $v3))
                                    (f64.const 0.00019907582591325134))
                                  (local.get $v3))
                                (f64.const 0.001388883909064138))
                              (local.get $v3))
                            (f64.const 0.008333283518768105))
                          (local.get $v3))
                        (f64.const 0.041666666786337556))
                      (local.get $v3))
                    (f64.const 0.1666666678638044))
                  (local.get $v3))
                (f64.const 0.4999999999995507))
              (local.get $v3))
            (f64.const 0.9999999999955055))
          (local.get $v3)))
      (local.set $v6 (f64.add (f64.mul (local.get $v4) (local.get $v5)) (f64.sub (local.get $v4) (f64.const 1))))
      (f32.demote_f64
        (f64.copysign (f64.div (local.get $v6) (f64.add (local.get $v6) (f64.const 2))) (local.get $v0))))"
  `)
})

describe('numbers', () => {
  const printed = (value: Expr<ValType>): string =>
    printFunction({ name: 'f', params: [], results: [], locals: [], body: [value], exported: false })
      .split('\n  ')[1]!
      .slice(1, -2)

  test.each([
    ['f32.const 0.1', f32.const(0.1)],
    ['f32.const 16777216', f32.const(16777216)],
    ['f32.const 1e-45', f32.const(1e-45)],
    ['f32.const -0', f32.const(-0)],
    ['f32.const -inf', f32.const(-Infinity)],
    ['f32.const nan:0x400000', f32FromBits(0x7fc00000)],
    ['f32.const -nan:0x200001', f32FromBits(0xffa00001)],
    ['f64.const 0.1', f64.const(0.1)],
    ['f64.const 1e+300', f64.const(1e300)],
    ['f64.const nan:0x8000000000123', f64FromBits(0x7ff8000000000123n)],
    ['i32.const -1', i32.const(0xffffffff)],
    ['i64.const -9223372036854775808', i64.const(2n ** 63n)],
  ])('%s', (text, value) => {
    expect(printed(value)).toBe(text)
  })
})
