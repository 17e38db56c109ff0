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
      (local $v0 f32)
      (local $v1 f32)
      (local $v2 f32)
      (local $v3 f32)
      (local $v4 f32)
      (local $v5 f32)
      (local $v6 f32)
      (local $v7 f32)
      (local $v8 f32)
      (local $v9 i32)
      (local $v10 f32)
      (local.set $v0 (f32.min (f32.abs (local.get $x)) (f32.const 10)))
      (local.set $v1 (f32.mul (local.get $v0) (local.get $v0)))
      (local.set $v2 (f32.add (local.get $v0) (local.get $v0)))
      (local.set $v3 (f32.add (f32.mul (local.get $v2) (f32.const 1.442695)) (f32.const 12582912)))
      (local.set $v4 (f32.sub (local.get $v3) (f32.const 12582912)))
      (local.set $v5 (f32.sub (local.get $v2) (f32.mul (local.get $v4) (f32.const 0.69314575))))
      (local.set $v6 (f32.mul (local.get $v4) (f32.const 0.0000014286068)))
      (local.set $v7 (f32.sub (local.get $v5) (local.get $v6)))
      (local.set $v8
        (f32.sub
          (f32.mul
            (f32.mul (local.get $v7) (local.get $v7))
            (f32.add
              (f32.mul
                (f32.add
                  (f32.mul
                    (f32.add
                      (f32.mul
                        (f32.add (f32.mul (f32.const 0.0013940647) (local.get $v7)) (f32.const 0.008368827))
                        (local.get $v7))
                      (f32.const 0.041666403))
                    (local.get $v7))
                  (f32.const 0.1666652))
                (local.get $v7))
              (f32.const 0.5)))
          (local.get $v6)))
      (local.set $v9 (i32.shl (i32.reinterpret_f32 (local.get $v3)) (i32.const 23)))
      (local.set $v10 (f32.reinterpret_i32 (i32.sub (i32.const 1065353216) (local.get $v9))))
      (f32.copysign
        (select
          (f32.add
            (local.get $v0)
            (f32.mul
              (local.get $v0)
              (f32.mul
                (local.get $v1)
                (f32.add
                  (f32.mul
                    (f32.add
                      (f32.mul
                        (f32.add
                          (f32.mul
                            (f32.add (f32.mul (f32.const -0.00623691) (local.get $v1)) (f32.const 0.02104736))
                            (local.get $v1))
                          (f32.const -0.053846966))
                        (local.get $v1))
                      (f32.const 0.13332541))
                    (local.get $v1))
                  (f32.const -0.33333316)))))
          (f32.sub
            (f32.const 1)
            (f32.div
              (f32.add (local.get $v10) (local.get $v10))
              (f32.add (f32.add (local.get $v10) (f32.const 1)) (f32.add (local.get $v5) (local.get $v8)))))
          (f32.lt (local.get $v0) (f32.const 0.54930615)))
        (local.get $x)))"
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
