import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { plan } from '../../compiler/index.js'
import {
  type AnyTensor,
  axisNames,
  graphErrors,
  type Node,
  operandsOf,
  type Program,
  rootsOf,
  scalarOps,
  sizes,
  topological,
} from '../../dsl/index.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { type AnyProgram, anyProgram, programsOf } from './index.js'

const tags = [
  ...[
    'input',
    'constant',
    'iota',
    'extent',
    'map',
    'broadcast',
    'sum',
    'max',
    'min',
    'argMax',
    'argMin',
    'argSort',
    'contract',
    'linearRecurrence',
    'gather',
    'scatterAdd',
    'scatterSet',
  ],
  ...['slice', 'pad', 'flip', 'concat', 'split', 'merge', 'rename', 'stopGradient', 'custom', 'checkpoint', 'barrier'],
]

const nodesOf = (program: Program<unknown, unknown, unknown>) => topological(rootsOf(program))

const sharesNode = ({ program }: AnyProgram): boolean => {
  const operands = nodesOf(program).flatMap(({ node }) => operandsOf(node))
  const uses = operands.filter(({ node }) => node.tag !== 'constant').map(({ node }) => node)
  return new Set(uses).size < uses.length
}

const hasOpenAxis = ({ program }: AnyProgram): boolean =>
  nodesOf(program).some(({ axes }) => axes.some(({ size }) => sizes.known(size) === undefined))

const namesOf = ({ program }: AnyProgram): readonly string[] =>
  nodesOf(program).map(({ node }) => (node.tag === 'map' ? node.op : node.tag))

const statesOf = ({ state }: AnyProgram): readonly string[] => Object.keys(state).map((name) => `state.${name}`)

const hasState = (p: AnyProgram): boolean => statesOf(p).length > 0

const pathsRead = ({ program }: AnyProgram): readonly string[] =>
  nodesOf(program).flatMap(({ node }) => (node.tag === 'input' ? [node.path] : []))

const nextNodes = ({ program }: AnyProgram): readonly (readonly [string, Node])[] =>
  Object.entries(program.nextState as Readonly<Record<string, AnyTensor>>).map(([name, { node }]) => [name, node])

const outputNodes = ({ program }: AnyProgram): readonly Node[] => Object.values(program.outputs).map(({ node }) => node)

/** How many states are copied at the end, not written where they lie. */
const copies = ({ program }: AnyProgram): number => right(plan(program)).commands.filter(({ tag }) => tag === 'copy').length

describe('of a thousand programs', () => {
  let programs: readonly AnyProgram[] = []
  beforeAll(() => {
    programs = fc.sample(anyProgram, { numRuns: 1000, seed: 1 })
  }, 60_000)
  const share = (holds: (p: AnyProgram) => boolean): number => programs.filter(holds).length / programs.length

  test('at least 30 % use a tensor twice', () => expect(share(sharesNode)).toBeGreaterThan(0.3))

  test('at least 50 % leave a size open', () => expect(share(hasOpenAxis)).toBeGreaterThan(0.5))

  test('at least 1 % have an axis without elements', () =>
    expect(share(({ inputs }) => Object.values(inputs).some((value) => value.sizes.includes(0)))).toBeGreaterThan(0.01))

  test('at least 20 % have a state', () => expect(share(hasState)).toBeGreaterThan(0.2))

  test('at least 10 % write a state where it lies, at least 10 % copy it', () => {
    const copied = new Map(programs.map((p) => [p, copies(p)]))
    expect(share((p) => copied.get(p)! < Object.keys(p.state).length)).toBeGreaterThan(0.1)
    expect(share((p) => copied.get(p)! > 0)).toBeGreaterThan(0.1)
  })

  test('at least 2 % each do not read a state, give one state to another, and have a new state as an output, too', () => {
    expect(share((p) => statesOf(p).some((old) => !pathsRead(p).includes(old)))).toBeGreaterThan(0.02)
    expect(share((p) => nextNodes(p).some(([name, node]) => node.tag === 'input' && node.path !== `state.${name}`))).toBeGreaterThan(0.02)
    expect(share((p) => nextNodes(p).some(([, node]) => outputNodes(p).includes(node)))).toBeGreaterThan(0.02)
  })

  test.each([...tags.filter((tag) => tag !== 'map'), ...Object.keys(scalarOps)])('at least 1 %% use %s', (name) =>
    expect(share((p) => namesOf(p).includes(name))).toBeGreaterThan(0.01),
  )
})

law(
  'a generated program is well formed',
  fc.property(anyProgram, ({ program }) => graphErrors(program).length === 0),
  { runs: 1000 },
)

const values = (p: AnyProgram, precision: 'f32' | 'f64') => {
  const { outputs, state } = right(evaluate(p.program, p.inputs, p.state, { precision }))
  const known = { ...p.outputs, ...p.nextState }
  return Object.entries({ ...outputs, ...(state as typeof outputs) }).map(([name, value]) => ({ known: known[name]!, value }))
}

law(
  'a generated program can be evaluated, and its values lie where they were said to lie',
  fc.property(anyProgram, (p) =>
    values(p, 'f64').every(({ known: { x, range }, value: { axes, data } }) => {
      expect(axes).toEqual(axisNames(x))
      return Array.from(data).every(
        (element) =>
          element >= range.low - 1e-9 &&
          element <= range.high + 1e-9 &&
          (range.grid === Infinity || Number.isInteger(element * 2 ** range.grid)),
      )
    }),
  ),
  { runs: 1000 },
)

law(
  'rounding to f32 never brings a generated program to another side of a jump',
  fc.property(anyProgram, (p) => {
    const rounded = values(p, 'f32')
    return values(p, 'f64').every(({ value: { data } }, k) =>
      Array.from(data).every((element, i) => Math.abs(element - rounded[k]!.value.data[i]!) <= 1e-4 * (1 + Math.abs(element))),
    )
  }),
  { runs: 1000 },
)

test.each([1, 2, 3, 4])('a program that breaks a law shrinks to a few nodes, with seed %i', (seed) => {
  const broken = fc.check(
    fc.property(anyProgram, (p) => !namesOf(p).includes('tanh')),
    { seed, numRuns: 1000 },
  )
  const [smallest] = broken.counterexample ?? []

  expect(smallest && namesOf(smallest).length).toBeLessThanOrEqual(3)
})

test('programs can be had over other sizes', () => {
  const large = fc.sample(programsOf({ sizes: fc.constantFrom(63, 64, 65), elements: 5000 }), { numRuns: 20, seed: 1 })

  expect(large.some(({ inputs }) => Object.values(inputs).some((value) => value.sizes.includes(65)))).toBe(true)
})
