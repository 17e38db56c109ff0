import fc from 'fast-check'
import { bindOnHost, evaluateTensors, float64 } from '../../backends/cpu/evaluate.js'
import { type AnySpec, type AnyTensor, type Bound, build, hasData, sizes, topological, type Value } from '../../dsl/index.js'
import { gradients, type Objective } from '../../verify/objective.js'
import { law } from '../law.js'
import { plannedBits } from '../planned-bits.js'
import { type AnyProgram, programsOf } from '../programs/index.js'
import { right } from '../right.js'
import { scalarized } from '../autodiff/scalarized.js'

const samples = 3
const axis = { name: 'sample', size: sizes.literal(samples) }

/** Every input that the dice choose, as it is and with one axis more. */
const pairsOf = (roots: readonly AnyTensor[], dice: number): readonly (readonly [AnyTensor, AnyTensor])[] =>
  topological(roots)
    .filter(({ node }) => node.tag === 'input')
    .flatMap((x, i) =>
      (dice >> i) % 2 === 0 && x.node.tag === 'input' ? [[x, build.input(x.node.path, x.dtype, [axis, ...x.axes])] as const] : [],
    )

/** The values of one sample: those that were given, moved by so many places. */
const turned = ({ sizes: own, data }: Value, by: number): Value => ({
  sizes: own,
  data: Array.from(data, (_, i) => data[(i + by) % data.length]!),
})

const paths = (pairs: readonly (readonly [AnyTensor, AnyTensor])[]): readonly string[] =>
  pairs.flatMap(([{ node }]) => (node.tag === 'input' ? [node.path] : []))

const withValues = (bound: Bound, wide: readonly string[], change: (value: Value) => Value): Bound => ({
  ...bound,
  values: new Map([...bound.values].map(([path, value]) => [path, wide.includes(path) && hasData(value) ? change(value) : value])),
})

const stacked = (value: Value): Value => ({
  sizes: [samples, ...value.sizes],
  data: Array.from({ length: samples }, (_, k) => Array.from(turned(value, k).data)).flat(),
})

/** The elements of tensors, each with its axes in the order of its own. */
const elements = (roots: readonly AnyTensor[], bound: Bound): readonly (readonly number[])[] => {
  const values = evaluateTensors(roots, bound, float64)
  return roots.map(({ node }) => values.get(node)!.data)
}

const sameAtEach = (
  roots: readonly AnyTensor[],
  wide: readonly AnyTensor[],
  pairs: readonly (readonly [AnyTensor, AnyTensor])[],
  bound: Bound,
): boolean => {
  const chosen = paths(pairs)
  const all = elements(wide, withValues(bound, chosen, stacked))
  return Array.from({ length: samples }, (_, k) =>
    elements(
      roots,
      withValues(bound, chosen, (value) => turned(value, k)),
    ),
  ).every((one, k) => one.every((data, i) => data.every((x, at) => Object.is(x, all[i]![k * data.length + at]))))
}

const outputsOf = ({ program: { outputs } }: AnyProgram): readonly AnyTensor[] => Object.values(outputs)

const anyProgram = programsOf({ states: 0 })

law(
  'a function mapped over an axis is the function at each of its indices, bit for bit',
  fc.property(anyProgram, fc.nat(), (p, dice) => {
    const roots = outputsOf(p)
    const pairs = pairsOf(roots, dice)
    const bound = right(bindOnHost(p.program, p.inputs, {}))
    return pairs.length === 0 || sameAtEach(roots, build.mapped('vmap', roots, pairs), pairs, bound)
  }),
)

type Specs = Readonly<Record<string, AnySpec>>

const change = <T>(given: Readonly<Record<string, T>>, wide: readonly string[], f: (own: T) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(given).map(([name, own]) => [name, wide.includes(`inputs.${name}`) ? f(own) : own]))

law(
  'so it is once the two are planned',
  fc.property(anyProgram, fc.nat(), (p, dice) => {
    const roots = outputsOf(p)
    const pairs = pairsOf(roots, dice)
    if (pairs.length === 0) return true
    const [specs, wide] = [p.program.inputs as Specs, paths(pairs)]
    const mapped = build.mapped('vmap', roots, pairs)
    const wider = change(specs, wide, (spec) => ({ ...spec, axes: [axis, ...spec.axes] }))
    const all = plannedBits(mapped, wider, change(p.inputs, wide, stacked))
    const one = Array.from({ length: samples }, (_, k) =>
      plannedBits(
        roots,
        specs,
        change(p.inputs, wide, (value) => turned(value, k)),
      ),
    )
    return all.every((bits, i) => bits === one.map((own) => own[i]).join(''))
  }),
  { runs: 20 },
)

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-11 * (1 + Math.abs(a) + Math.abs(b))

law(
  'the gradient of a mapped function is the gradient mapped, summed where the input is the same for all',
  fc.property(anyProgram, fc.nat(), (p, dice) => {
    const made = scalarized(p)
    if (made === undefined) return true
    const { objective } = made
    const pairs = pairsOf([objective.y], dice).filter(([{ node }]) => node.tag === 'input' && node.path.startsWith('inputs.'))
    if (pairs.length === 0) return true
    const wide = new Map(pairs.map(([narrow, own]) => [narrow.node, own]))
    const [y] = build.mapped('vmap', [objective.y], pairs)
    const whole: Objective = {
      ...objective,
      y: build.sum('sample')(y!),
      sources: objective.sources.map(({ path, value }) => ({ path, value: wide.get(value.node) ?? value })),
    }
    const each = build.mapped('vmap', gradients(objective), pairs)
    const summed = each.map((g, i) => (wide.has(objective.sources[i]!.value.node) ? g : build.sum('sample')(g)))
    const bound = withValues(made.bound, paths(pairs), stacked)
    const [left, right] = [elements(summed, bound), elements(gradients(whole), bound)]
    return left.every((data, i) => data.every((x, at) => close(x, right[i]![at]!)))
  }),
)
