import fc from 'fast-check'
import { bindOnHost, evaluateTensors, float32 } from '../../backends/cpu/evaluate.js'
import { type AnySpec, type AnyTensor, axisNames, build, operandsOf, rewrite, topological } from '../../dsl/index.js'
import { alongDirection, gradients, type Objective, objectiveOf } from '../../verify/objective.js'
import { law } from '../law.js'
import { hex, plannedBits } from '../planned-bits.js'
import { type AnyProgram, programsOf } from '../programs/index.js'
import { right } from '../right.js'
import { evaluated, scalarized, withDirections } from './scalarized.js'

/** The same expression without checkpoints and the aliases of their arguments. */
const plain = (x: AnyTensor): AnyTensor =>
  rewrite((y, rebuilt) => {
    const { node } = y
    const isAlias = node.tag === 'rename' && Object.keys(node.names).length === 0
    return node.tag === 'checkpoint' || isAlias ? rebuilt(node.x) : build.over(y, rebuilt)
  })([x])[0]!

/** What a tensor is made of so many steps back, or what it is given before. */
const back = (x: AnyTensor, steps: number): readonly AnyTensor[] => {
  const operands = operandsOf(x.node)
  return steps === 0 || operands.length === 0 ? [x] : operands.flatMap((operand) => back(operand, steps - 1))
}

/** As `checkpoint` makes it of a function of the given tensors: what depends on them is made of aliases of them. */
const checkpointOf = (x: AnyTensor, given: readonly AnyTensor[]): AnyTensor => {
  const aliases = new Map(given.map((g) => [g.node, build.alias(g)]))
  const body = rewrite((y, rebuilt) => {
    const changed = operandsOf(y.node).some((operand) => rebuilt(operand) !== operand)
    return aliases.get(y.node) ?? (changed ? build.over(y, rebuilt) : y)
  })([x])[0]!
  return build.checkpoint(body, [...aliases.values()])
}

/** The same expression with every so many tensors a checkpoint of what it is made of some steps back: in a row, nested and overlapping. */
const checkpointed =
  (every: number, first: number, steps: number) =>
  (y: AnyTensor): AnyTensor => {
    const places = new Map(topological([y]).map(({ node }, i) => [node, i]))
    return rewrite((x, rebuilt) => {
      const made = build.over(x, rebuilt)
      const place = places.get(x.node)!
      const given = [...new Set(back(x, 1 + ((place + steps) % 3)))].filter(({ node }) => node !== x.node).slice(0, 3)
      return place % every === first % every ? checkpointOf(made, given.map(rebuilt)) : made
    })([y])[0]!
  }

const valueAndGradients = (objective: Objective): readonly AnyTensor[] => [objective.y, ...gradients(objective)]

type Bits = (roots: readonly AnyTensor[], of: AnyProgram) => readonly string[]

const evaluatedBits: Bits = (roots, { program, inputs }) => {
  const values = evaluateTensors(roots, right(bindOnHost(program, inputs, {})), float32)
  return roots.map(({ node }) => hex(values.get(node)!.data))
}

const interpretedBits: Bits = (roots, { program, inputs }) =>
  plannedBits(roots, program.inputs as Readonly<Record<string, AnySpec>>, inputs)

/** A sum of all elements of all float outputs, those of each with a weight of their own. */
const total = ({ program: { outputs } }: AnyProgram): AnyTensor =>
  Object.values(outputs)
    .filter(({ dtype }) => dtype === 'f32')
    .map((y, i) => build.binary('mul')(build.sum(...axisNames(y))(y), 0.3 + i))
    .reduce((sum, term) => build.binary('add')(sum, term), build.constant(0))

const changesNothing = (p: AnyProgram, dice: readonly [number, number, number], bits: Bits): boolean => {
  const y = checkpointed(...dice)(plain(total(p)))
  const [kept, again] = [plain(y), y].map((z) => bits(valueAndGradients(objectiveOf(z)), p))
  return kept!.every((line, i) => line === again![i])
}

const anyProgram = programsOf({ states: 0 })
const dice = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(3), fc.nat(2))

law(
  'a checkpoint changes no bit of a value or a gradient',
  fc.property(anyProgram, dice, (p, d) => changesNothing(p, d, evaluatedBits)),
)

law(
  'nor does it once the two are planned',
  fc.property(anyProgram, dice, (p, d) => changesNothing(p, d, interpretedBits)),
  { runs: 20 },
)

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-11 * (1 + Math.abs(a) + Math.abs(b))

law(
  'the second derivative through checkpoints is that without',
  fc.property(anyProgram, dice, (p, d) => {
    const made = scalarized(p)
    if (made === undefined) return true
    const bound = withDirections(made)
    const second = (y: AnyTensor): readonly (readonly number[])[] => {
      const first = { ...made.objective, y }
      const roots = gradients(alongDirection(first, gradients(first)))
      const values = evaluated(roots, bound)
      return roots.map(({ node }) => values.get(node)!.data)
    }
    const y = checkpointed(...d)(plain(made.objective.y))
    const again = second(y)
    return second(plain(y)).every((data, i) => data.every((element, k) => close(element, again[i]![k]!)))
  }),
  { runs: 50 },
)
