import fc from 'fast-check'
import { bindOnHost } from '../../backends/cpu/evaluate.js'
import { type AnySpec, type AnyTensor, axisNames, build, type Loss, type Scalar, topological } from '../../dsl/index.js'
import { each, type Elements, masks } from '../../verify/index.js'
import { type AnyProgram, programsOf } from '../programs/index.js'
import type { Range } from '../programs/range.js'
import { type Kind, kinds } from '../programs/recipe.js'
import { right } from '../right.js'
import type { Verifiable } from './losses.js'
import { floats } from './mutant.js'

/** What a row of the derivative is about: a scalar operation (`map exp`), or another node. */
export const nameOf = ({ node }: AnyTensor): string => (node.tag === 'map' ? `map ${node.op}` : node.tag)

const floatsOf = ({ program }: AnyProgram): readonly AnyTensor[] => Object.values(program.outputs).filter(({ dtype }) => dtype === 'f32')

/** What a program's floats are made of that a derivative by its inputs reaches. */
export const activeNodes = (p: AnyProgram): readonly AnyTensor[] => {
  const order = topological(floatsOf(p))
  const active = new Set(order.filter(({ node, dtype }) => node.tag === 'input' && dtype === 'f32').map(({ node }) => node))
  return order.filter((x) => {
    const depends = x.dtype === 'f32' && floats(x).some(({ node }) => active.has(node))
    if (depends) active.add(x.node)
    return depends
  })
}

const uses = (name: string, p: AnyProgram): boolean => activeNodes(p).some((x) => nameOf(x) === name)

const company: readonly Kind[] = ['input', 'unary', 'binary', 'sum', 'broadcast', 'compare', 'logic', 'cast', 'iota', 'extent']

const sizes = fc.constantFrom(2, 3, 1, 2, 3, 5, 2, 3, 4, 0)

/** Short programs, every other step of which is of one kind. */
const drawn = (kind: Kind, seed: number, runs: number): readonly AnyProgram[] =>
  fc.sample(programsOf({ states: 0, steps: 8, sizes, kinds: [...company, ...company.map(() => kind)] }), { seed, numRuns: runs })

/** For each name, the kind of step that is called so, or makes it most often. */
const makersFrom = (seed: number): ReadonlyMap<string, Kind> => {
  const most = new Map<string, { readonly kind: Kind; readonly times: number }>()
  for (const kind of kinds) {
    const names = drawn(kind, seed, 20).flatMap((p) => [...new Set(activeNodes(p).map(nameOf))])
    for (const name of new Set(names)) {
      const times = kind === name ? Infinity : names.filter((other) => other === name).length
      if (times > (most.get(name)?.times ?? 0)) most.set(name, { kind, times })
    }
  }
  return new Map([...most].map(([name, { kind }]) => [name, kind]))
}

export type ProgramsUsing = (name: string, count: number) => readonly AnyProgram[]

/** Random programs that use what has a name, on a way that a derivative takes; fewer if they are rare. */
export const programsUsing = (seed: number): ProgramsUsing => {
  let makers: ReadonlyMap<string, Kind> | undefined
  return (name, count) => {
    makers ??= makersFrom(seed)
    const kind = makers.get(name)
    const found: AnyProgram[] = []
    for (let turn = 0; kind !== undefined && found.length < count && turn < count; turn++)
      found.push(...drawn(kind, seed + turn, 20).filter((p) => uses(name, p)))
    return found.slice(0, count)
  }
}

const elementsWithin = ({ low, high, grid }: Range, { dtype }: AnySpec): Elements => {
  if (dtype === 'bool') return masks
  if (grid === Infinity) return each(fc.double({ min: low, max: high, noNaN: true }))
  const steps = 2 ** grid
  return each(
    fc.integer({ min: Math.ceil(low * steps), max: Math.max(Math.ceil(low * steps), Math.floor(high * steps)) }).map((n) => n / steps),
  )
}

const curved = (y: AnyTensor): AnyTensor => build.binary('add')(y, build.map('cos', y))

/**
 * A random program as a loss, at the sizes for which it was made: Σ weight·(y + cos y) of its outputs y, so that what is linear in the program
 * has a second derivative, too.
 */
export const asLoss = (p: AnyProgram): Verifiable | undefined => {
  const [outputs, { program, inputs, ranges }] = [floatsOf(p), p]
  if (outputs.length === 0) return undefined
  const own = program.inputs as Readonly<Record<string, AnySpec>>
  const weights = outputs.map(({ axes }, i): readonly [string, AnySpec] => [`weight${String(i)}`, { spec: 'tensor', dtype: 'f32', axes }])
  const loss: Loss<never> = {
    name: 'random program',
    inputs: { ...own, ...Object.fromEntries(weights) } as never,
    loss: () =>
      outputs
        .map((y, i) => build.contract(...axisNames(y))(build.input(`inputs.weight${String(i)}`, 'f32', y.axes), curved(y)))
        .reduce((sum, term) => build.binary('add')(sum, term)) as Scalar,
  }
  const within = Object.entries(own).map(([name, spec]) => [name, elementsWithin(ranges[name]!, spec)])
  const sizes = Object.fromEntries(right(bindOnHost(program, inputs, {})).sizes)
  return { loss, options: { ranges: Object.fromEntries(within) as Record<string, Elements>, sizes } }
}
