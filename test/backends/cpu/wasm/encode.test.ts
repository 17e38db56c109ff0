import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  block,
  br,
  brIf,
  call,
  exported,
  f32,
  f32x4,
  f64,
  f64x2,
  fn,
  fourLanes,
  i32,
  i32x4,
  i64,
  i64x2,
  loop,
  set,
  tee,
  when,
} from '../../../../backends/cpu/wasm/asm.js'
import { encode, type Instr, type ValType, type WasmFunction, type WasmModule } from '../../../../backends/cpu/wasm/encode.js'
import { hasRelaxed } from '../../../../backends/cpu/wasm/relaxed.js'
import { flatten, signed, unsigned } from '../../../../backends/cpu/wasm/encode/bytes.js'
import { memoryOps, numericOps, type MemoryOp, type NumericOp } from '../../../../backends/cpu/wasm/encode/opcodes.js'
import { laneOps, type LaneOp } from '../../../../backends/cpu/wasm/encode/vector-opcodes.js'
import { law } from '../../../law.js'
import { f32FromBits, f64FromBits } from './from-bits.js'

type Run = (...args: readonly (number | bigint)[]) => number | bigint

const runs = (module: WasmModule, imports: WebAssembly.Imports = {}) =>
  new WebAssembly.Instance(new WebAssembly.Module(encode(module)), imports).exports as unknown as Readonly<Record<string, Run>>

const only = (fn: WasmFunction): Run => runs({ functions: [exported(fn)] })[fn.name]!

const constant = (type: ValType): Instr =>
  type === 'i32' || type === 'f32' ? { tag: 'const', type, bits: 1 } : { tag: 'const', type, bits: 1n }
const constants = (types: readonly ValType[]): readonly Instr[] => types.map(constant)

const memory = { module: 'device', name: 'memory', min: 1, max: 16, shared: true } as const

/** Σ of the n float32 at p. */
const sumOf = fn('sumOf', { p: 'i32', n: 'i32' }, 'f32', { i: 'i32', total: 'f32' }, ({ p, n, i, total }) => [
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

describe('the bytes', () => {
  test('are those of the format', () => {
    const half = fn('half', { x: 'f32' }, 'f32', {}, ({ x }) => [f32.mul(x, 0.5)])
    expect(Buffer.from(encode({ functions: [exported(half)] }, { names: false })).toString('hex')).toMatchInlineSnapshot(
      `"0061736d0100000001060160017d017d030201000708010468616c6600000a0c010a002000430000003f940b"`,
    )
  })

  test('are the same for equal modules', () => {
    const module = (): WasmModule => structuredClone({ memory, functions: [sumOf] })
    expect(encode(module())).toEqual(encode(module()))
  })

  test('hold a function type once', () => {
    const named = (name: string) => fn(name, { x: 'f64' }, 'f64', {}, ({ x }) => [x])
    const size = (functions: readonly WasmFunction[]): number => encode({ functions }, { names: false }).length
    // A second function costs the index of its type and a body: its length, no locals, `local.get 0` and the end.
    expect(size([named('a'), named('b')]) - size([named('a')])).toBe(6)
  })

  law(
    'an unsigned number reads back from its LEB128',
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
      const read = unsigned(value).reduce((sum, byte, i) => sum + (byte & 0x7f) * 2 ** (7 * i), 0)
      expect(read).toBe(value)
    }),
  )

  law(
    'a signed number reads back from its LEB128',
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const bytes = signed(value)
      const read = bytes.reduce((sum, byte, i) => sum | (BigInt(byte & 0x7f) << BigInt(7 * i)), 0n)
      expect(BigInt.asIntN(7 * bytes.length, read)).toBe(value)
    }),
  )

  test('flatten in order', () => {
    expect(flatten([1, [2, [3]], Uint8Array.of(4), []])).toEqual(Uint8Array.of(1, 2, 3, 4))
  })
})

describe('every instruction of the tables', () => {
  beforeAll(hasRelaxed)

  const encodes = (body: readonly Instr[]): boolean =>
    WebAssembly.validate(encode({ memory, functions: [{ name: 'f', params: [], results: [], locals: [], body, exported: false }] }))
  const dropUnlessNull = (gives: ValType | null, value: Instr): Instr => (gives === null ? value : { tag: 'drop', value })

  test.each(Object.keys(numericOps) as NumericOp[])('%s has the operands and the result it says', (op) => {
    const [, takes, gives] = numericOps[op]
    const value: Instr = { tag: 'numeric', op, args: constants(takes) }
    expect(encodes([{ tag: 'drop', value }])).toBe(true)
    const typed: WasmFunction = { name: 'f', params: [], results: [gives], locals: [], body: [value], exported: false }
    expect(WebAssembly.validate(encode({ functions: [typed] }))).toBe(true)
  })

  test.each(Object.keys(laneOps) as LaneOp[])('%s names the lanes that it may, and no others', (op) => {
    const [, takes, gives, names, below] = laneOps[op]
    const naming = (lane: number): boolean => {
      const value: Instr = { tag: 'lane', op, lanes: Array.from({ length: names }, () => lane), args: constants(takes) }
      return WebAssembly.validate(
        encode({ functions: [{ name: 'f', params: [], results: [gives], locals: [], body: [value], exported: false }] }),
      )
    }
    expect([naming(0), naming(below - 1), naming(below)]).toEqual([true, true, false])
  })

  test.each(Object.keys(memoryOps) as MemoryOp[])('%s may be aligned to its size, not more', (op) => {
    const [, takes, gives, bytes] = memoryOps[op]
    const access = (align: number): Instr => ({ tag: 'memory', op, offset: 65536, align, args: constants(takes) })
    expect(encodes([dropUnlessNull(gives, access(bytes))])).toBe(true)
    expect(encodes([dropUnlessNull(gives, access(2 * bytes))])).toBe(false)
  })
})

describe('constants', () => {
  law(
    'an f32 keeps its bits, NaN payloads too',
    fc.property(fc.nat({ max: 0xffffffff }), (bits) => {
      expect(only(fn('bits', {}, 'i32', {}, () => [i32.reinterpret_f32(f32FromBits(bits))]))()).toBe(bits | 0)
    }),
  )

  law(
    'an f64 keeps its bits, NaN payloads too',
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (bits) => {
      expect(only(fn('bits', {}, 'i64', {}, () => [i64.reinterpret_f64(f64FromBits(bits))]))()).toBe(BigInt.asIntN(64, bits))
    }),
  )

  law(
    'integers keep their value, read as signed',
    fc.property(
      fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      (small, large) => {
        expect(only(fn('small', {}, 'i32', {}, () => [i32.const(small)]))()).toBe(small | 0)
        expect(only(fn('large', {}, 'i64', {}, () => [i64.const(large)]))()).toBe(BigInt.asIntN(64, large))
      },
    ),
  )

  law(
    'a number given to f32 and f64 is that number',
    fc.property(fc.double(), (value) => {
      expect(only(fn('narrow', {}, 'f32', {}, () => [f32.const(value)]))()).toBe(Math.fround(value))
      expect(only(fn('wide', {}, 'f64', {}, () => [f64.const(value)]))()).toBe(value)
    }),
  )
})

describe('lanes', () => {
  test('of a constant are in order', () => {
    const at = (lane: number) => only(fn('lane', {}, 'i32', {}, () => [i32x4.extract_lane(lane, fourLanes([1, -2, 3, -4]))]))()
    expect([0, 1, 2, 3].map(at)).toEqual([1, -2, 3, -4])
  })

  test('of a number given to a family of lanes are that number', () => {
    const half = fn('half', {}, 'f32', {}, () => [f32x4.extract_lane(3, f32x4.mul(f32x4.splat(3), -0.5))])
    const wide = fn('wide', {}, 'i32', {}, () => [i32x4.extract_lane(0, i32x4.trunc_sat_f64x2_s_zero(f64x2.add(f64x2.splat(2), 1e6)))])
    const large = fn('large', {}, 'i32', {}, () => [i32x4.extract_lane(3, i64x2.sub(i64x2.splat(0n), 1n << 32n))])
    expect([half, wide, large].map((f) => only(f)())).toEqual([-1.5, 1000002, -1])
  })
})

describe('control', () => {
  test('a loop sums what is in the shared memory', () => {
    const shared = new WebAssembly.Memory({ initial: 1, maximum: 16, shared: true })
    new Float32Array(shared.buffer, 64, 4).set([1, 2, 3.5, -0.25])
    const { sumOf: run } = runs({ memory, functions: [exported(sumOf)] }, { device: { memory: shared } })
    expect(run!(64, 4)).toBe(6.25)
    expect(run!(64, 0)).toBe(0)
  })

  test('a store writes at its address and offset', () => {
    const shared = new WebAssembly.Memory({ initial: 1, maximum: 16, shared: true })
    const store = fn('put', { p: 'i32', x: 'f64' }, null, {}, ({ p, x }) => [f64.store(p, x, { offset: 8, align: 1 })])
    runs({ memory, functions: [exported(store)] }, { device: { memory: shared } })['put']!(3, 2.5)
    expect(new DataView(shared.buffer).getFloat64(11, true)).toBe(2.5)
  })

  test('if, with and without a value', () => {
    const clamp = fn('clamp', { x: 'i32' }, 'i32', {}, ({ x }) => [
      when(i32.lt_s(x, 0), [set(x, 0)], [set(x, i32.add(x, 1))]),
      when(i32.gt_s(x, 100), [set(x, 100)]),
      i32.if(i32.eq(x, 7), [i32.const(-7)], [x]),
    ])
    expect([-5, 3, 6, 1000].map((x) => only(clamp)(x))).toEqual([0, 4, -7, 100])
  })

  test('select takes the first where the condition holds', () => {
    const larger = fn('larger', { x: 'f64', y: 'f64' }, 'f64', {}, ({ x, y }) => [f64.select(f64.gt(x, y), x, y)])
    expect([only(larger)(1, 2), only(larger)(3, 2)]).toEqual([2, 3])
  })

  test('a branch leaves the labels between', () => {
    const nested = fn('nested', { x: 'i32' }, 'i32', {}, ({ x }) => [
      block('outer', [
        block('inner', [when(i32.eq(x, 1), [br('inner')]), when(i32.eq(x, 2), [br('outer')]), set(x, 10)]),
        set(x, i32.add(x, 100)),
      ]),
      x,
    ])
    expect([0, 1, 2].map((x) => only(nested)(x))).toEqual([110, 101, 2])
  })

  test('of two labels with one name a branch means the inner', () => {
    const shadowed = fn('shadowed', { x: 'i32' }, 'i32', {}, ({ x }) => [block('l', [block('l', [br('l')]), set(x, 5)]), x])
    expect(only(shadowed)(0)).toBe(5)
  })

  test('functions call each other by name, in any order, and themselves', () => {
    const square = fn('square', { x: 'f64' }, 'f64', {}, ({ x }) => [f64.mul(x, x)])
    const quartic = fn('quartic', { x: 'f64' }, 'f64', { y: 'f64' }, ({ x, y }) => [call(square, { x: tee(y, call(square, { x })) })])
    expect(runs({ functions: [exported(quartic), square] })['quartic']!(3)).toBe(81)
  })

  test('i64 arguments and results are bigints', () => {
    const next = fn('next', { x: 'i64' }, 'i64', {}, ({ x }) => [i64.add(x, 1n)])
    expect(only(next)(2n ** 63n - 1n)).toBe(-(2n ** 63n))
  })
})

describe('names that stand for nothing', () => {
  const broken =
    (...body: readonly Instr[]) =>
    () =>
      encode({ functions: [{ name: 'f', params: [], results: [], locals: [], body, exported: false }] })

  test('a variable', () => {
    expect(broken({ tag: 'drop', value: { tag: 'get', name: 'x', type: 'f32' } })).toThrow("no variable 'x'")
  })
  test('a label', () => {
    expect(broken(block('here', []), br('here'))).toThrow("no label 'here'")
  })
  test('a function', () => {
    expect(broken({ tag: 'call', fn: 'g', args: [] })).toThrow("no function 'g'")
  })
})

test('types that do not fit are told by the compiler', () => {
  const negated = fn('negated', { x: 'f32' }, 'f32', {}, ({ x }) => [f32.neg(x)])
  const mistakes = fn('mistakes', { x: 'f32', n: 'i32' }, 'f64', { y: 'f64' }, ({ x, n, y }) => [
    // @ts-expect-error a float32 where a float64 is due
    f64.add(y, x),
    // @ts-expect-error an integer into a float variable
    set(y, i32.add(n, 1)),
    // @ts-expect-error a float64 where an integer is due
    i32.add(n, y),
    // @ts-expect-error a store leaves nothing
    f32.neg(f32.store(n, x)),
    // @ts-expect-error a float64 argument for a float32 parameter
    call(negated, { x: y }),
    f64.promote_f32(x),
  ])
  // @ts-expect-error the last instruction leaves no float64
  const another = fn('another', { x: 'f32' }, 'f64', {}, ({ x }) => [f32.neg(x)])
  expect([mistakes, another].map((wrong) => WebAssembly.validate(encode({ functions: [wrong, negated] })))).toEqual([false, false])
})
