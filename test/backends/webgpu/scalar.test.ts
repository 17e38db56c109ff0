import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoopOp, Plan } from '../../../compiler/index.js'
import { scalar, stored } from '../../../compiler/scalar.js'
import { type AnySpec, build, type DType, type ScalarOp, scalarOps, sizeOf } from '../../../dsl/index.js'
import { must } from '../opened.js'
import { openedForAll } from './opened.js'
import { isSubnormal, ulpsApart } from './ulps.js'

const device = openedForAll()

interface Row {
  readonly op: LoopOp
  readonly takes: readonly DType[]
  readonly gives: DType
}

const dtypes: readonly DType[] = ['f32', 'i32', 'u32', 'bool']

const tuples = <T>(choices: readonly T[], length: number): readonly (readonly T[])[] =>
  length === 0 ? [[]] : tuples(choices, length - 1).flatMap((rest) => choices.map((choice) => [...rest, choice]))

/** Every operation with every combination of types that it takes. */
const rows: readonly Row[] = [
  ...(Object.keys(scalarOps) as ScalarOp[]).flatMap((op) =>
    tuples(dtypes, scalarOps[op].arity).flatMap((takes): readonly Row[] => {
      const gives = scalarOps[op].result(takes)
      return gives === undefined ? [] : [{ op, takes, gives }]
    }),
  ),
  { op: 'quotient', takes: ['i32', 'i32'], gives: 'i32' },
  { op: 'remainder', takes: ['i32', 'i32'], gives: 'i32' },
]

/** y[i] = op(x₀[i], …) */
const planOf = ({ op, takes, gives }: Row) => {
  const axes = [{ name: 'n', size: sizeOf('n') }]
  const spec = (dtype: DType): AnySpec => ({ spec: 'tensor', dtype, axes })
  const inputs = Object.fromEntries(takes.map((dtype, i) => [`x${String(i)}`, spec(dtype)]))
  const at = { tag: 'index', dtype: 'i32', name: 'i0' } as const
  return {
    requirements: {
      givens: takes.map((dtype, i) => ({ path: `inputs.x${String(i)}`, value: spec(dtype) })),
      demands: [],
      counts: [],
      ids: [],
    },
    kernels: [
      {
        name: op,
        buffers: [{ dtype: gives, access: 'write' }, ...takes.map((dtype) => ({ dtype, access: 'read' }) as const)],
        parameters: ['i32'],
        space: [{ index: 'i0', extent: { tag: 'parameter', dtype: 'i32', slot: 0 } }],
        body: [
          {
            tag: 'store',
            buffer: 0,
            at,
            value: { tag: 'op', dtype: gives, op, operands: takes.map((dtype, i) => ({ tag: 'read', dtype, buffer: i + 1, at }) as const) },
          },
        ],
      },
    ],
    buffers: [
      ...takes.map(
        (dtype, i) => ({ dtype, elements: sizeOf('n'), role: { tag: 'given', of: 'inputs', path: `inputs.x${String(i)}` } }) as const,
      ),
      { dtype: gives, elements: sizeOf('n'), role: { tag: 'made' } },
    ],
    commands: [
      {
        tag: 'dispatch',
        kernel: 0,
        buffers: [takes.length, ...takes.map((_, i) => i)],
        parameters: [{ tag: 'size', size: sizeOf('n') }],
        extents: [sizeOf('n')],
        beside: false,
        makes: [{ what: op, because: 'result', elements: sizeOf('n'), readBy: [] }],
        computes: [op],
      },
    ],
    outputs: [{ path: 'outputs.y', buffer: takes.length, axes }],
    program: { inputs, state: {}, outputs: { y: build.input('y', gives, axes) } },
  } satisfies Plan
}

const edges: { readonly [D in DType]: readonly number[] } = {
  f32: [
    ...[0, 0.5, 1, 1.5, 2, 1 / 3, 1e-7, 2.4e-4, 10.25, 88.8, 104, 2 ** 24 + 2, 2147483520, 2 ** 31, 2 ** 32, 1e10, 1e20],
    ...[3.4028234663852886e38, Infinity, 2 ** -126, 2 ** -149, 1e-40],
  ].flatMap((x) => [Math.fround(x), Math.fround(-x)]),
  i32: [0, 1, -1, 2, 31, 32, -3, 7, 65536, 2 ** 24 + 1, 2147483647, -2147483648],
  u32: [0, 1, 2, 7, 65536, 2 ** 24 + 1, 2147483647, 2147483648, 4294967295],
  bool: [0, 1],
}

const valuesFor = ({ op, takes }: Row): readonly (readonly number[])[] => {
  const all = takes.map((dtype) => [...edges[dtype], ...(dtype === 'f32' ? [NaN] : [])])
  const crossed = all.reduce<readonly (readonly number[])[]>((sets, values) => sets.flatMap((set) => values.map((x) => [...set, x])), [[]])
  // Index maps divide whole numbers of this kind only.
  return op === 'quotient' || op === 'remainder' ? crossed.filter(([x = 0, y = 0]) => x >= 0 && y > 0) : crossed
}

/** A device may take a subnormal for a zero of its sign. */
const flushed = (x: number): readonly number[] => (isSubnormal(x) ? [x, x < 0 ? -0 : 0] : [x])

/** What the operation may give: as the interpreter, with each subnormal, among the operands and as the result, kept or taken for 0. */
const allowed = ({ op, takes, gives }: Row, operands: readonly number[]): readonly number[] =>
  operands
    .map((x, i) => (takes[i] === 'f32' ? flushed(x) : [x]))
    .reduce<readonly (readonly number[])[]>((sets, values) => sets.flatMap((set) => values.map((x) => [...set, x])), [[]])
    .map((set) => stored[gives](scalar[op](set, gives)))
    .flatMap((y) => (gives === 'f32' ? flushed(y) : [y]))

const approximate: ReadonlySet<LoopOp> = new Set([
  'exp',
  'expm1',
  'log',
  'log1p',
  'rsqrt',
  'tanh',
  'sigmoid',
  'softplus',
  'sin',
  'cos',
  'erf',
  'pow',
  'div',
  'recip',
  'sqrt',
])

const agrees = (row: Row, operands: readonly number[], y: number): boolean =>
  allowed(row, operands).some((z) => Object.is(y, z) || (approximate.has(row.op) && ulpsApart(y, z) <= 4.5))

describe('a scalar operation on edge values does what it does in the interpreter:', () => {
  for (const row of rows)
    test(`${row.op}(${row.takes.join(', ')})`, async () => {
      const values = valuesFor(row)
      const loaded = await must(device().load(planOf(row)))
      const inputs = Object.fromEntries(
        row.takes.map((_, i) => [`x${String(i)}`, { sizes: [values.length], data: values.map((set) => set[i]!) }]),
      )
      const { y } = await must(loaded.run(inputs))
      const wrong = values.flatMap((operands, i) =>
        agrees(row, operands, y.data[i]!)
          ? []
          : [`${row.op}(${operands.join(', ')}) = ${fc.stringify(y.data[i])}, not ${allowed(row, operands).join(' or ')}`],
      )
      expect(wrong).toEqual([])
    })
})
