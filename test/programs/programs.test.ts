import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { axisNames, graphErrors, operandsOf, type Program, rootsOf, scalarOps, sizes, topological } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram, programsOf } from './index.js'

const tags = [
  ...['input', 'constant', 'iota', 'extent', 'map', 'broadcast', 'sum', 'max', 'contract', 'gather', 'scatterAdd'],
  ...['slice', 'pad', 'rename', 'stopGradient'],
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

describe('of a thousand programs', () => {
  let programs: readonly AnyProgram[] = []
  beforeAll(() => {
    programs = fc.sample(anyProgram, { numRuns: 1000, seed: 1 })
  })
  const share = (holds: (p: AnyProgram) => boolean): number => programs.filter(holds).length / programs.length

  test('at least 30 % use a tensor twice', () => expect(share(sharesNode)).toBeGreaterThan(0.3))

  test('at least 50 % leave a size open', () => expect(share(hasOpenAxis)).toBeGreaterThan(0.5))

  test('at least 1 % have an axis without elements', () =>
    expect(share(({ inputs }) => Object.values(inputs).some((value) => value.sizes.includes(0)))).toBeGreaterThan(0.01))

  test.each([...tags.filter((tag) => tag !== 'map'), ...Object.keys(scalarOps)])('at least 1 %% use %s', (name) =>
    expect(share((p) => namesOf(p).includes(name))).toBeGreaterThan(0.01),
  )
})

law(
  'a generated program is well formed',
  fc.property(anyProgram, ({ program }) => graphErrors(program).length === 0),
  { runs: 300 },
)

const values = (p: AnyProgram, precision: 'f32' | 'f64') => {
  const made = evaluate(p.program, p.inputs, {}, { precision })
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  return Object.entries(made.right.outputs).map(([name, value]) => ({ known: p.outputs[name]!, value }))
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
  { runs: 300 },
)

law(
  'rounding to f32 never brings a generated program to another side of a jump',
  fc.property(anyProgram, (p) => {
    const rounded = values(p, 'f32')
    return values(p, 'f64').every(({ value: { data } }, k) =>
      Array.from(data).every((element, i) => Math.abs(element - rounded[k]!.value.data[i]!) <= 1e-4 * (1 + Math.abs(element))),
    )
  }),
  { runs: 300 },
)

test('a program that breaks a law shrinks to a few nodes', () => {
  const broken = fc.check(
    fc.property(anyProgram, (p) => !namesOf(p).includes('tanh')),
    { seed: 1, numRuns: 1000 },
  )
  const [smallest] = broken.counterexample ?? []

  expect(smallest && namesOf(smallest).length).toBeLessThanOrEqual(3)
})

test('programs can be had over other sizes', () => {
  const large = fc.sample(programsOf({ sizes: fc.constantFrom(63, 64, 65), elements: 5000 }), { numRuns: 20, seed: 1 })

  expect(large.some(({ inputs }) => Object.values(inputs).some((value) => value.sizes.includes(65)))).toBe(true)
})
