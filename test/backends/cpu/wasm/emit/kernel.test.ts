import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { emitKernel } from '../../../../../backends/cpu/wasm/emit/kernel.js'
import { printFunction } from '../../../../../backends/cpu/wasm/wat.js'
import { plan } from '../../../../../compiler/index.js'
import { contract, f32, i32, program, type Program, scatterAdd, sum } from '../../../../../dsl/index.js'

/** The text of a program's only kernel. */
const textOf = (p: Program<unknown, unknown, unknown>): string =>
  pipe(
    plan(p),
    E.map(({ kernels }) => kernels.map((kernel) => printFunction(emitKernel(kernel, kernel.name, false, []).fn)).join('\n')),
    E.getOrElseW((errors) => JSON.stringify(errors)),
  )

test('a sum: rows outside, one branch a turn, pointers that move', () => {
  const p = program({ inputs: { x: f32('row', 'column') }, body: ({ x }) => ({ outputs: { y: pipe(x, sum('column')) } }) })
  expect(textOf(p)).toMatchInlineSnapshot(`
    "(func $sum_0 (export "sum_0") (param $args i32) (param $scratch i32) (param $first i32) (param $end i32)
      (local $parameters i32)
      (local $b0 i32)
      (local $b1 i32)
      (local $p1 i32)
      (local $p2 i32)
      (local $p3 i32)
      (local $i2 i32)
      (local $turns9 i32)
      (local $at10 i32)
      (local $acc f32)
      (local $t0 i32)
      (local $t1 i32)
      (local $i1 i32)
      (local $at15 i32)
      (local $acc.x4 v128)
      (local $acc.x4.1 v128)
      (local $acc.x4.2 v128)
      (local $acc.x4.3 v128)
      (local.set $parameters (i32.load (local.get $args)))
      (local.set $b0 (i32.load offset=4 (local.get $args)))
      (local.set $b1 (i32.load offset=8 (local.get $args)))
      (local.set $p1 (i32.load offset=4 (local.get $parameters)))
      (local.set $p2 (local.get $first))
      (local.set $p3 (local.get $end))
      (local.set $turns9 (i32.sub (local.get $p3) (local.get $p2)))
      (if
        (i32.gt_s (local.get $turns9) (i32.const 0))
        (then
          (local.set $i2 (i32.const 0))
          (local.set $at10 (i32.add (local.get $b0) (i32.shl (local.get $p2) (i32.const 2))))
          (loop $i2
            (local.set $acc (f32.const 0))
            (local.set $t0 (i32.add (local.get $p2) (local.get $i2)))
            (local.set $t1 (i32.mul (local.get $t0) (local.get $p1)))
            (local.set $acc.x4 (v128.const i32x4 0x0 0x0 0x0 0x0))
            (local.set $acc.x4.1 (v128.const i32x4 0x0 0x0 0x0 0x0))
            (local.set $acc.x4.2 (v128.const i32x4 0x0 0x0 0x0 0x0))
            (local.set $acc.x4.3 (v128.const i32x4 0x0 0x0 0x0 0x0))
            (local.set $i1 (i32.const 0))
            (local.set $at15 (i32.add (local.get $b1) (i32.shl (local.get $t1) (i32.const 2))))
            (if
              (i32.le_s (i32.add (local.get $i1) (i32.const 16)) (local.get $p1))
              (then
                (loop $i1.many
                  (local.set $acc.x4 (f32x4.add (local.get $acc.x4) (v128.load align=4 (local.get $at15))))
                  (local.set $at15 (i32.add (local.get $at15) (i32.const 16)))
                  (local.set $i1 (i32.add (local.get $i1) (i32.const 4)))
                  (local.set $acc.x4.1 (f32x4.add (local.get $acc.x4.1) (v128.load align=4 (local.get $at15))))
                  (local.set $at15 (i32.add (local.get $at15) (i32.const 16)))
                  (local.set $i1 (i32.add (local.get $i1) (i32.const 4)))
                  (local.set $acc.x4.2 (f32x4.add (local.get $acc.x4.2) (v128.load align=4 (local.get $at15))))
                  (local.set $at15 (i32.add (local.get $at15) (i32.const 16)))
                  (local.set $i1 (i32.add (local.get $i1) (i32.const 4)))
                  (local.set $acc.x4.3 (f32x4.add (local.get $acc.x4.3) (v128.load align=4 (local.get $at15))))
                  (local.set $at15 (i32.add (local.get $at15) (i32.const 16)))
                  (local.set $i1 (i32.add (local.get $i1) (i32.const 4)))
                  (br_if $i1.many (i32.le_s (i32.add (local.get $i1) (i32.const 16)) (local.get $p1))))))
            (if
              (i32.le_s (i32.add (local.get $i1) (i32.const 4)) (local.get $p1))
              (then
                (loop $i1.four
                  (local.set $acc.x4 (f32x4.add (local.get $acc.x4) (v128.load align=4 (local.get $at15))))
                  (local.set $at15 (i32.add (local.get $at15) (i32.const 16)))
                  (local.set $i1 (i32.add (local.get $i1) (i32.const 4)))
                  (br_if $i1.four (i32.le_s (i32.add (local.get $i1) (i32.const 4)) (local.get $p1))))))
            (if
              (i32.le_s (i32.add (local.get $i1) (i32.const 1)) (local.get $p1))
              (then
                (loop $i1
                  (local.set $acc (f32.add (local.get $acc) (f32.load (local.get $at15))))
                  (local.set $at15 (i32.add (local.get $at15) (i32.const 4)))
                  (local.set $i1 (i32.add (local.get $i1) (i32.const 1)))
                  (br_if $i1 (i32.le_s (i32.add (local.get $i1) (i32.const 1)) (local.get $p1))))))
            (local.set $acc.x4
              (f32x4.add
                (f32x4.add (local.get $acc.x4) (local.get $acc.x4.1))
                (f32x4.add (local.get $acc.x4.2) (local.get $acc.x4.3))))
            (local.set $acc
              (f32.add
                (local.get $acc)
                (f32.add
                  (f32.add (f32x4.extract_lane 0 (local.get $acc.x4)) (f32x4.extract_lane 1 (local.get $acc.x4)))
                  (f32.add (f32x4.extract_lane 2 (local.get $acc.x4)) (f32x4.extract_lane 3 (local.get $acc.x4))))))
            (f32.store (local.get $at10) (local.get $acc))
            (local.set $at10 (i32.add (local.get $at10) (i32.const 4)))
            (br_if $i2 (i32.lt_s (local.tee $i2 (i32.add (local.get $i2) (i32.const 1))) (local.get $turns9)))))))"
  `)
})

test('a contraction of few rows: four columns at once', () => {
  const p = program({
    inputs: { x: f32({ row: 2, k: 8 }), y: f32({ k: 8, column: 8 }) },
    body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
  })
  expect(textOf(p)).toMatchInlineSnapshot(`
    "(func $contract_0 (export "contract_0") (param $args i32) (param $scratch i32) (param $first i32) (param $end i32)
      (local $b0 i32)
      (local $b1 i32)
      (local $b2 i32)
      (local $p0 i32)
      (local $p1 i32)
      (local $i3 i32)
      (local $turns8 i32)
      (local $t0 i32)
      (local $t1 i32)
      (local $i1 i32)
      (local $at12 i32)
      (local $acc.x4 v128)
      (local $i2 i32)
      (local $at15 i32)
      (local $at16 i32)
      (local.set $b0 (i32.load offset=4 (local.get $args)))
      (local.set $b1 (i32.load offset=8 (local.get $args)))
      (local.set $b2 (i32.load offset=12 (local.get $args)))
      (local.set $p0 (local.get $first))
      (local.set $p1 (local.get $end))
      (local.set $turns8 (i32.sub (local.get $p1) (local.get $p0)))
      (if
        (i32.gt_s (local.get $turns8) (i32.const 0))
        (then
          (local.set $i3 (i32.const 0))
          (loop $i3
            (local.set $t0 (i32.add (local.get $p0) (local.get $i3)))
            (local.set $t1 (i32.mul (local.get $t0) (i32.const 8)))
            (local.set $i1 (i32.const 0))
            (local.set $at12 (i32.add (local.get $b0) (i32.shl (local.get $t1) (i32.const 2))))
            (loop $i1.four
              (local.set $acc.x4 (v128.const i32x4 0x0 0x0 0x0 0x0))
              (local.set $i2 (i32.const 0))
              (local.set $at15 (i32.add (local.get $b1) (i32.shl (local.get $t1) (i32.const 2))))
              (local.set $at16 (i32.add (local.get $b2) (i32.shl (local.get $i1) (i32.const 2))))
              (loop $i2
                (local.set $acc.x4
                  (f32x4.add
                    (local.get $acc.x4)
                    (f32x4.mul (v128.load32_splat (local.get $at15)) (v128.load align=4 (local.get $at16)))))
                (local.set $at15 (i32.add (local.get $at15) (i32.const 4)))
                (local.set $at16 (i32.add (local.get $at16) (i32.const 32)))
                (br_if $i2 (i32.lt_s (local.tee $i2 (i32.add (local.get $i2) (i32.const 1))) (i32.const 8))))
              (v128.store align=4 (local.get $at12) (local.get $acc.x4))
              (local.set $at12 (i32.add (local.get $at12) (i32.const 16)))
              (local.set $i1 (i32.add (local.get $i1) (i32.const 4)))
              (br_if $i1.four (i32.le_s (i32.add (local.get $i1) (i32.const 4)) (i32.const 8))))
            (br_if $i3 (i32.lt_s (local.tee $i3 (i32.add (local.get $i3) (i32.const 1))) (local.get $turns8)))))))"
  `)
})

test('a scatter: it clears, then adds where the ids say', () => {
  const p = program({
    inputs: { x: f32('row'), ids: i32('row') },
    body: ({ x, ids }) => ({ outputs: { y: pipe(x, scatterAdd('group', ids, { size: 7 })) } }),
  })
  expect(textOf(p)).toMatchInlineSnapshot(`
    "(func $scatterAdd_0 (export "scatterAdd_0") (param $args i32) (param $scratch i32) (param $first i32) (param $end i32)
      (local $parameters i32)
      (local $b0 i32)
      (local $b1 i32)
      (local $b2 i32)
      (local $p0 i32)
      (local $i0 i32)
      (local $at9 i32)
      (local $i1 i32)
      (local $at11 i32)
      (local $at12 i32)
      (local $t0 i32)
      (local $t1 i32)
      (local $v15 i32)
      (local.set $parameters (i32.load (local.get $args)))
      (local.set $b0 (i32.load offset=4 (local.get $args)))
      (local.set $b1 (i32.load offset=8 (local.get $args)))
      (local.set $b2 (i32.load offset=12 (local.get $args)))
      (local.set $p0 (i32.load (local.get $parameters)))
      (local.set $i0 (i32.const 0))
      (local.set $at9 (local.get $b0))
      (v128.store align=4 (local.get $at9) (v128.const i32x4 0x0 0x0 0x0 0x0))
      (local.set $at9 (i32.add (local.get $at9) (i32.const 16)))
      (local.set $i0 (i32.add (local.get $i0) (i32.const 4)))
      (loop $i0
        (f32.store (local.get $at9) (f32.const 0))
        (local.set $at9 (i32.add (local.get $at9) (i32.const 4)))
        (local.set $i0 (i32.add (local.get $i0) (i32.const 1)))
        (br_if $i0 (i32.le_s (i32.add (local.get $i0) (i32.const 1)) (i32.const 7))))
      (if
        (i32.gt_s (local.get $p0) (i32.const 0))
        (then
          (local.set $i1 (i32.const 0))
          (local.set $at11 (local.get $b1))
          (local.set $at12 (local.get $b2))
          (loop $i1
            (local.set $t0 (i32.load (local.get $at11)))
            (if
              (i32.and (i32.le_s (i32.const 0) (local.get $t0)) (i32.lt_s (local.get $t0) (i32.const 7)))
              (then
                (local.set $t1
                  (select
                    (i32.const 0)
                    (local.tee $v15
                      (select (local.get $t0) (i32.const 6) (i32.lt_s (local.get $t0) (i32.const 6))))
                    (i32.gt_s (i32.const 0) (local.get $v15))))
                (f32.store
                  (i32.add (local.get $b0) (i32.shl (local.get $t1) (i32.const 2)))
                  (f32.add
                    (f32.load (i32.add (local.get $b0) (i32.shl (local.get $t1) (i32.const 2))))
                    (f32.load (local.get $at12))))))
            (local.set $at11 (i32.add (local.get $at11) (i32.const 4)))
            (local.set $at12 (i32.add (local.get $at12) (i32.const 4)))
            (br_if $i1 (i32.lt_s (local.tee $i1 (i32.add (local.get $i1) (i32.const 1))) (local.get $p0)))))))"
  `)
})
