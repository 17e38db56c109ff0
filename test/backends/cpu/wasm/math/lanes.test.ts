import { describe, expect, test } from 'vitest'
import { i32, local, v128 } from '../../../../../backends/cpu/wasm/asm.js'
import { encode, type Instr, type WasmFunction } from '../../../../../backends/cpu/wasm/encode.js'
import { mathFunctions, type MathName, withHelpers } from '../../../../../backends/cpu/wasm/math.js'
import { applied } from '../../../../../backends/cpu/wasm/math/formula.js'
import { math, unaryNames } from './called.js'
import { around, special, sweep } from './float32.js'

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
