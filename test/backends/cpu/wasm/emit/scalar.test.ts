import { describe, expect, test } from 'vitest'
import { emitProgram, functionName, pageBytes } from '../../../../../backends/cpu/wasm/emit/program.js'
import { encode } from '../../../../../backends/cpu/wasm/encode.js'
import { interpretKernel, type Kernel, type LoopOp } from '../../../../../compiler/index.js'
import { type DType, scalarOps } from '../../../../../dsl/index.js'

const floats = [
  ...[0, 1, 0.5, 1.5, 2, 3, 1e-3, 0.7, 9.25, 88.7, 104, 1e10, 16777217, 2147483648, 4294967296, 3.4028234663852886e38],
  ...[2 ** -126, 2 ** -127, 2 ** -149, 1 + 2 ** -23, 1 - 2 ** -24, Infinity, NaN],
].flatMap((x) => [Math.fround(x), Math.fround(-x)])

const edges: { readonly [D in DType]: readonly number[] } = {
  f32: floats,
  i32: [0, 1, -1, 2, 31, 32, -2, 7, -7, 65536, -65537, 16777217, 2147483647, -2147483647, -2147483648],
  u32: [0, 1, 2, 7, 65536, 65537, 16777217, 2147483647, 2147483648, 4294967295],
  bool: [0, 1],
}

const dtypes = Object.keys(edges) as readonly DType[]

/** All ways of choosing `count` of `items`, in order. */
const choices = <T>(items: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  items.reduce<readonly (readonly T[])[]>((found, some) => found.flatMap((chosen) => some.map((x) => [...chosen, x])), [[]])

interface Case {
  readonly op: LoopOp
  readonly takes: readonly DType[]
  readonly gives: DType
}

const cases: readonly Case[] = Object.entries(scalarOps).flatMap(([op, { arity, result }]) =>
  choices(Array.from({ length: arity }, () => dtypes)).flatMap((takes): readonly Case[] => {
    const gives = result(takes)
    return gives === undefined ? [] : [{ op: op as LoopOp, takes, gives }]
  }),
)

/** result[i] = op(x[i], y[i], …) */
const kernelOf = ({ op, takes, gives }: Case): Kernel => {
  const at = { tag: 'index', dtype: 'i32', name: 'i0' } as const
  const operands = takes.map((dtype, i) => ({ tag: 'read', dtype, buffer: i + 1, at }) as const)
  return {
    name: op,
    buffers: [{ dtype: gives, access: 'write' }, ...takes.map((dtype) => ({ dtype, access: 'read' }) as const)],
    parameters: ['i32'],
    space: [{ index: 'i0', extent: { tag: 'parameter', dtype: 'i32', slot: 0 } }],
    body: [{ tag: 'store', buffer: 0, at, value: { tag: 'op', dtype: gives, op, operands } }],
  }
}

type Numbers = Float32Array | Int32Array | Uint32Array

const arrays: { readonly [D in DType]: (data: ArrayLike<number>) => Numbers } = {
  f32: (data) => Float32Array.from(data),
  i32: (data) => Int32Array.from(data),
  u32: (data) => Uint32Array.from(data),
  bool: (data) => Uint32Array.from(data),
}

const viewOf = (dtype: DType, buffer: ArrayBufferLike, at: number, length: number): Numbers =>
  dtype === 'f32'
    ? new Float32Array(buffer, at, length)
    : dtype === 'i32'
      ? new Int32Array(buffer, at, length)
      : new Uint32Array(buffer, at, length)

/** Run a kernel of one parameter, the number of elements, with its buffers one after the other. */
const runWasm = (kernel: Kernel, buffers: readonly Numbers[]): void => {
  const [first] = buffers
  const bytes = 4 * (first?.length ?? 0)
  const memory = new WebAssembly.Memory({
    initial: Math.ceil((64 + bytes * buffers.length) / pageBytes),
    maximum: 65536,
    shared: true,
  })
  const length = first?.length ?? 0
  // The parameter, then the kernel's arguments: where that lies, and where each buffer does.
  new Int32Array(memory.buffer).set([length, 0, ...buffers.map((_, i) => 64 + bytes * i)])
  const views = buffers.map((data, i) => viewOf(kernel.buffers[i]!.dtype, memory.buffer, 64 + bytes * i, data.length))
  buffers.forEach((data, i) => views[i]!.set(data))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(encode(emitProgram({ kernels: [kernel] }).module)), {
    device: { memory },
  })
  const run = instance.exports[functionName(kernel.name)] as (...addresses: readonly number[]) => number
  run(4, 0, 0, Math.ceil(length / 4096))
  buffers.forEach((data, i) => data.set(views[i]!))
}

/** By its bits, in the order of the numbers, so that neighbours are 1 apart. */
const rank = (x: number): number => {
  const [bits = 0] = new Int32Array(Float32Array.of(x).buffer)
  return bits < 0 ? -(bits & 0x7fffffff) : bits
}

const oneUlp: ReadonlySet<LoopOp> = new Set<LoopOp>([
  'exp',
  'expm1',
  'log',
  'log1p',
  'tanh',
  'sigmoid',
  'softplus',
  'sin',
  'cos',
  'erf',
  'pow',
])

const isSame = (op: LoopOp, x: number, y: number): boolean => Object.is(x, y) || (oneUlp.has(op) && Math.abs(rank(x) - rank(y)) <= 1)

const differences = (made: Case, inputs: readonly (readonly number[])[]): readonly string[] => {
  const kernel = kernelOf(made)
  const operands = made.takes.map((dtype, i) => arrays[dtype](inputs.map((row) => row[i]!)))
  const outputs = [arrays[made.gives](inputs.map(() => 0)), arrays[made.gives](inputs.map(() => 0))] as const
  interpretKernel(kernel, [outputs[0], ...operands], [inputs.length])
  runWasm(kernel, [outputs[1], ...operands])
  return inputs.flatMap((row, i) => {
    const [expected, actual] = [outputs[0][i]!, outputs[1][i]!]
    return isSame(made.op, actual, expected) ? [] : [`${made.op}(${row.join(', ')}) is ${String(actual)}, not ${String(expected)}`]
  })
}

describe('WebAssembly gives what the interpreter gives at the edges of', () => {
  test.each(cases.map((c) => [`${c.op}(${c.takes.join(', ')})`, c] as const))('%s', (_, made) => {
    expect(differences(made, choices(made.takes.map((dtype) => edges[dtype]))).slice(0, 5)).toEqual([])
  })

  test.each(['quotient', 'remainder'] as const)('%s', (op) => {
    const inputs = choices([
      [0, 1, 2, 6, 7, 8, 2147483647],
      [1, 2, 7, 2147483647],
    ])
    expect(differences({ op, takes: ['i32', 'i32'], gives: 'i32' }, inputs)).toEqual([])
  })
})
