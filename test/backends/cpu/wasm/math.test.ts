import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exported, i32, local, v128 } from '../../../../backends/cpu/wasm/asm.js'
import { encode, type Instr, type WasmFunction } from '../../../../backends/cpu/wasm/encode.js'
import { mathFunctions, mathNames, type MathName, withHelpers } from '../../../../backends/cpu/wasm/math.js'
import { applied } from '../../../../backends/cpu/wasm/math/formula.js'
import { law } from '../../../law.js'

type Unary = Exclude<MathName, 'pow' | 'mod' | 'threefry0' | 'threefry1'>

const unaryNames = mathNames.filter((name): name is Unary => !['pow', 'mod', 'threefry0', 'threefry1'].includes(name))

const instance = new WebAssembly.Instance(new WebAssembly.Module(encode({ functions: withHelpers(mathNames).map(exported) })))
const math = instance.exports as unknown as { readonly [N in MathName]: (x: number, y?: number) => number }

// float32 by its bits, and the distance between neighbours

const words = new Uint32Array(1)
const floats = new Float32Array(words.buffer)

const fromBits = (bits: number): number => {
  words[0] = bits
  return floats[0]!
}

const ulp = (value: number): number => {
  floats[0] = Math.abs(value)
  const exponent = words[0]! >>> 23
  return 2 ** (Math.max(exponent, 1) - 150)
}

/** How far from the exact value, in ULP: 0 where both round to the same float32. NaN, ∞ and the sign of 0 agree exactly. */
const distance = (got: number, exact: number): number => {
  const nearest = Math.fround(exact)
  if (Object.is(got, nearest)) return Number.isFinite(got) ? Math.abs(got - exact) / ulp(exact) : 0
  return Number.isFinite(got) && Number.isFinite(nearest) && nearest !== 0 ? Math.abs(got - exact) / ulp(exact) : Infinity
}

const isNear = (got: number, exact: number, bound: number): boolean => Object.is(got, Math.fround(exact)) || distance(got, exact) <= bound

// The references, in float64

/** 2/√π·e^{−a²}·Σ 2ⁿ·a^{2n+1}/(2n+1)!!: every term is positive. Beyond 6 it is 1 in float64. */
const erf = (x: number): number => {
  const a = Math.min(Math.abs(x), 6)
  let [term, sum] = [a, a]
  for (let n = 1; term > sum * 1e-18; n++) {
    term *= (2 * a * a) / (2 * n + 1)
    sum += term
  }
  return Math.sign(x) * Math.min(1, (2 / Math.sqrt(Math.PI)) * Math.exp(-a * a) * sum)
}

const references: { readonly [N in Unary]: (x: number) => number } = {
  exp: Math.exp,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  rsqrt: (x) => 1 / Math.sqrt(x),
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  erf: (x) => (Number.isNaN(x) ? NaN : x === 0 ? x : erf(x)),
  sin: Math.sin,
  cos: Math.cos,
}

/** C's pow from JavaScript's. */
const pow = (x: number, y: number): number => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y)

/** Half an ULP is what rounding costs what is computed in float64; the others, in float32, were measured at every 997th float32, in C. */
const rounded = 0.501
const bounds: { readonly [N in Unary]: number } = {
  exp: 0.86,
  expm1: 1.2,
  log: 0.8,
  log1p: 0.8,
  tanh: 1.3,
  sigmoid: 1.65,
  softplus: 1.6,
  rsqrt: rounded,
  erf: rounded,
  sin: rounded,
  cos: rounded,
}

// Inputs

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  -2,
  3,
  -3,
  1.5,
  2 ** 24,
  2 ** 24 - 1,
  2 ** -126,
  2 ** -149,
  -(2 ** -149),
  (2 - 2 ** -23) * 2 ** 127,
]
  .flatMap((x) => [x, -x])
  .concat([1 + 2 ** -23, 1 - 2 ** -24, Infinity, -Infinity, NaN])

/** Every exponent and sign, with different digits: 2³² and the step have no common divisor. EVERY=1 tries every float32, in hours. */
const step = Number(process.env['EVERY'] ?? 20011)
const sweep = Array.from({ length: Math.floor(2 ** 32 / 40009) }, (_, i) => fromBits(i * 40009))

function* sweeping(): Generator<number> {
  for (let bits = 0; bits < 2 ** 32; bits += step) yield fromBits(bits)
}

/** All of a few thousand neighbours around each point. */
const around = (x: number): readonly number[] => {
  floats[0] = x
  const bits = words[0]!
  return Array.from({ length: 4001 }, (_, i) => fromBits(bits + i - 2000))
}

const anyFloat = fc.nat({ max: 0xffffffff }).map(fromBits)

/** Where it is farthest from the reference: the number, what it gives, the reference's, and the distance in ULP. */
const farthest = (name: Unary, inputs: Iterable<number>) => {
  const [of, exactly] = [math[name], references[name]]
  let worst = { x: NaN, got: NaN, exact: NaN, ulps: 0 }
  for (const x of inputs) {
    const [got, exact] = [of(x), exactly(x)]
    const ulps = distance(got, exact)
    if (ulps > worst.ulps) worst = { x, got, exact, ulps }
  }
  return worst
}

describe.each(unaryNames)('%s', (name) => {
  test('is near its value over all exponents', { timeout: 0 }, () => {
    const worst = farthest(name, sweeping())
    expect(worst.ulps, JSON.stringify(worst)).toBeLessThanOrEqual(bounds[name])
  })

  test('is near its value at special values and where its method changes', () => {
    const seams = [
      0.34657359,
      1.0397208,
      Math.SQRT1_2,
      Math.SQRT2,
      1,
      4,
      88.72284,
      -87.33655,
      -103.97208,
      Math.PI / 4,
      Math.PI / 2,
      Math.PI,
      1e5,
    ]
    const worst = farthest(name, [...special, ...seams.flatMap((x) => [...around(x), ...around(-x)])])
    expect(worst.ulps, JSON.stringify(worst)).toBeLessThanOrEqual(bounds[name])
  })

  law(
    `${name} of any float32 is near its value`,
    fc.property(anyFloat, (x) => isNear(math[name](x), references[name](x), bounds[name])),
    { runs: 1000 },
  )
})

describe('special values', () => {
  const table: readonly (readonly [Unary, x: number, y: number])[] = [
    ['exp', -Infinity, 0],
    ['exp', Infinity, Infinity],
    ['exp', 89, Infinity],
    ['exp', -103, 2 ** -149],
    ['exp', -104, 0],
    ['exp', 88.72283935546875, Infinity],
    ['exp', 2 ** -149, 1],
    ['expm1', 2 ** -149, 2 ** -149],
    ['expm1', 88.72283935546875, Infinity],
    ['expm1', -0, -0],
    ['expm1', -Infinity, -1],
    ['log', 0, -Infinity],
    ['log', -0, -Infinity],
    ['log', -1, NaN],
    ['log', 1, 0],
    ['log', Infinity, Infinity],
    ['log', 2 ** -149, Math.fround(Math.log(2 ** -149))],
    ['log', (2 - 2 ** -23) * 2 ** 127, Math.fround(Math.log((2 - 2 ** -23) * 2 ** 127))],
    ['log1p', 2 ** -149, 2 ** -149],
    ['log1p', -0, -0],
    ['log1p', -1, -Infinity],
    ['log1p', -2, NaN],
    ['log1p', Infinity, Infinity],
    ['tanh', -0, -0],
    ['tanh', -Infinity, -1],
    ['tanh', 1e-30, Math.fround(1e-30)],
    ['tanh', 10, 1],
    ['tanh', -(2 ** -149), -(2 ** -149)],
    ['sigmoid', -103, 2 ** -149],
    ['sigmoid', -104, 0],
    ['sigmoid', 18, 1],
    ['sigmoid', -Infinity, 0],
    ['sigmoid', Infinity, 1],
    ['sigmoid', 0, 0.5],
    ['softplus', -103, 2 ** -149],
    ['softplus', 2 ** 24, 2 ** 24],
    ['softplus', -Infinity, 0],
    ['softplus', Infinity, Infinity],
    ['erf', -0, -0],
    ['erf', -Infinity, -1],
    ['erf', Infinity, 1],
    ['sin', -0, -0],
    ['sin', Infinity, NaN],
    ['cos', 0, 1],
    ['cos', -Infinity, NaN],
  ]

  test.each(table)('%s(%d) is %d', (name, x, y) => {
    expect(math[name](x)).toBe(y)
  })

  test.each(unaryNames)('%s(NaN) is NaN', (name) => {
    expect(math[name](NaN)).toBe(NaN)
  })
})

describe('pow', () => {
  test.each(special)('of %d to all special values is that of C', (x) => {
    expect(special.filter((y) => !isNear(math.pow(x, y), pow(x, y), rounded))).toEqual([])
  })

  test.each([
    [NaN, 0, 1],
    [1, NaN, 1],
    [-1, Infinity, 1],
    [-1, -Infinity, 1],
    [-0, -3, -Infinity],
    [-0, 0.5, 0],
    [-Infinity, 0.5, Infinity],
    [-Infinity, -3, -0],
    [-2, 0.5, NaN],
    [-2, 3, -8],
  ])('pow(%d, %d) is %d', (x, y, result) => {
    expect(math.pow(x, y)).toBe(result)
  })

  law(
    'pow of any two float32 is the nearest float32',
    fc.property(anyFloat, anyFloat, (x, y) => isNear(math.pow(x, y), pow(x, y), rounded)),
    { runs: 10_000 },
  )

  law(
    'pow of numbers whose power is in range is the nearest float32',
    fc.property(fc.float({ min: Math.fround(-2), max: 2, noNaN: true }), fc.float({ min: -126, max: 126, noNaN: true }), (e, y) => {
      const x = Math.fround(2 ** e)
      return isNear(math.pow(x, y), pow(x, y), rounded)
    }),
    { runs: 10_000 },
  )

  law(
    'pow of a negative number to a whole power is the nearest float32',
    fc.property(fc.float({ min: -100, max: Math.fround(-0.01), noNaN: true }), fc.integer({ min: -30, max: 30 }), (x, y) =>
      isNear(math.pow(x, y), pow(x, y), rounded),
    ),
    { runs: 1000 },
  )
})

/** Python's, from JavaScript's: what is not 0 has the sign of y. */
const mod = (x: number, y: number): number => {
  const rest = x % y
  return Math.fround(rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest)
}

describe('mod', () => {
  test.each(special)('of %d by all special values is the remainder', (x) => {
    expect(special.filter((y) => !Object.is(math.mod(x, y), mod(x, y)))).toEqual([])
  })

  law(
    'mod of any two float32 is the remainder, to the bit',
    fc.property(anyFloat, anyFloat, (x, y) => Object.is(math.mod(x, y), mod(x, y))),
    { runs: 10_000 },
  )
})

describe('four lanes', () => {
  /** Results of vectors of four, from operands that lie one after the other. */
  const lanesOf = (name: MathName, operands: readonly (readonly number[])[]): Float32Array => {
    const { one, four } = mathFunctions[name]
    const count = operands[0]!.length
    const bytes = 4 * count
    const shared = new WebAssembly.Memory({ initial: Math.ceil((bytes * (operands.length + 1)) / 65536), maximum: 1024, shared: true })
    operands.forEach((data, i) => new Float32Array(shared.buffer, bytes * (i + 1), count).set(data))
    const p = local('i32', 'p')
    const run: WasmFunction = {
      name: 'run',
      params: [{ name: 'p', type: 'i32' }],
      results: [],
      locals: [],
      body: [v128.store(p, applied(four, ...one.params.map((_, i): Instr => v128.load(i32.add(p, bytes * (i + 1))))))],
      exported: true,
    }
    const memory = { module: 'device', name: 'memory', min: 1, max: 1024, shared: true }
    const module = new WebAssembly.Module(encode({ memory, functions: [...withHelpers([four.name]), run] }))
    const { exports } = new WebAssembly.Instance(module, { device: { memory: shared } })
    for (let at = 0; at < bytes; at += 16) (exports['run'] as (p: number) => void)(at)
    return new Float32Array(shared.buffer.slice(0, bytes))
  }

  const inFours = (inputs: readonly number[]): readonly number[] => inputs.slice(0, inputs.length - (inputs.length % 4))

  test.each(unaryNames)('of %s have the bits of one number', (name) => {
    const inputs = inFours([...special, ...around(1e5), ...sweep])
    expect(lanesOf(name, [inputs])).toEqual(Float32Array.from(inputs, (x) => math[name](x)))
  })

  test.each(['pow', 'mod'] as const)('of %s have the bits of one number', (name) => {
    const pairs = special
      .flatMap((x) => special.map((y) => [x, y] as const))
      .concat(sweep.slice(0, 40000).map((x, i) => [x, sweep[(i * 7) % sweep.length]!]))
    const [xs, ys] = [inFours(pairs.map(([x]) => x)), inFours(pairs.map(([, y]) => y))]
    expect(lanesOf(name, [xs, ys])).toEqual(Float32Array.from(xs, (x, i) => math[name](x, ys[i])))
  })
})

describe('a module with some of them', () => {
  const names = (functions: readonly WasmFunction[]): readonly string[] => functions.map(({ name }) => name)

  test('has the helpers they need, and no others', () => {
    expect(names(withHelpers(['mod.x4', 'exp']))).toEqual(['exp', 'mod', 'mod.x4'])
    expect(names(withHelpers(['sin']))).toEqual(['twoOverPiWord', 'twoOverPiDigits', 'quarterTurns', 'farSine', 'sinNear', 'sin'])
    expect(names(withHelpers([]))).toEqual([])
  })

  test('does not depend on the order of asking', () => {
    expect(withHelpers(['sin', 'exp'])).toEqual(withHelpers(['exp', 'sin', 'exp']))
  })

  test.each(mathNames.flatMap((name) => [name, `${name}.x4`]))('%s validates with what it needs alone', (name) => {
    expect(WebAssembly.validate(encode({ functions: withHelpers([name]) }))).toBe(true)
    expect(names(withHelpers([name]))).toContain(name)
  })
})
