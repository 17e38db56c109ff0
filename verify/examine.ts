import * as E from 'fp-ts/lib/Either.js'
import type { Rules } from '../autodiff/index.js'
import { evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, bind, type Bound, type GraphError, random, type Requirements, topological, type Value } from '../dsl/index.js'
import { comparison, type Derivative } from './compare.js'
import { inputName } from './flow.js'
import { alongDirection, boundDirections, forwards, gradients, type Objective, objectiveOf } from './objective.js'
import type { Fault, InputReport } from './report.js'
import type { Sample } from './sample.js'

/** A loss with all that is to be compared, built once for all samples. */
export interface Exam {
  readonly requirements: Requirements
  readonly first: Graded
  readonly second: Graded
  readonly forward: AnyTensor
}

interface Graded {
  readonly objective: Objective
  readonly gradient: readonly AnyTensor[]
}

const graded = (objective: Objective, rules?: Rules): Graded => ({ objective, gradient: gradients(objective, rules) })

export const examOf = (loss: AnyTensor, requirements: Requirements, rules?: Rules): Exam => {
  const first = graded(objectiveOf(loss), rules)
  const along = alongDirection(first.objective, first.gradient)
  return { requirements, first, second: graded(along, rules), forward: forwards(first.objective, rules) }
}

/** What is wrong with the derivatives themselves, whatever the values. */
export const errorsOf = ({ first, second, forward }: Exam): readonly GraphError[] =>
  topological([second.objective.y, forward, ...first.gradient, ...second.gradient]).flatMap(({ node }) =>
    node.tag === 'invalid' ? node.errors : [],
  )

/** What one sample showed: the first fault, and how many derivatives were compared before it. */
export interface Verdict {
  readonly fault?: Fault
  readonly inputs: readonly InputReport[]
}

const directionsOf = ({ values, seed }: Sample): ReadonlyMap<string, Value> => {
  const list = [...values].map(([path, { sizes, data }], stream): readonly [string, Value] => {
    const from = random.fold(random.key(seed), stream)
    return [path, { sizes, data: Array.from(data, (_, i) => 2 * random.uniform(from, i) - 1) }]
  })
  return boundDirections(new Map(list))
}

const boundTo = ({ requirements }: Exam, sample: Sample): Bound => {
  const bound = bind(
    requirements,
    [...sample.values].map(([path, value]) => ({ path, value })),
  )
  if (E.isLeft(bound)) throw new Error(`a generated sample does not fit the program: ${JSON.stringify(bound.left)}`)
  return { sizes: bound.right.sizes, values: new Map([...bound.right.values, ...directionsOf(sample)]) }
}

/** At most so many elements of each input are compared in one sample; which, the sample's seed says. */
const elementsCompared = 4

const someElements = (n: number, seed: number): readonly number[] => {
  if (n <= elementsCompared) return Array.from({ length: n }, (_, i) => i)
  return Array.from({ length: elementsCompared }, (_, i) => random.integer(random.key(seed), i, n))
}

const dataOf = (values: Values<number>, x: AnyTensor): readonly number[] => values.get(x.node)!.data

const notFinite = (what: string, data: readonly number[], path?: string): Fault | undefined => {
  const index = data.findIndex((x) => !Number.isFinite(x))
  if (index < 0) return undefined
  return { tag: 'notFinite', what, value: data[index]!, ...(path === undefined ? {} : { input: inputName(path), index }) }
}

const modesDiffer = (exam: Exam, base: Values<number>): Fault | undefined => {
  const [forward, reverse] = [dataOf(base, exam.forward)[0]!, dataOf(base, exam.second.objective.y)[0]!]
  const scale = exam.first.gradient.reduce((sum, g) => dataOf(base, g).reduce((total, x) => total + Math.abs(x), sum), 1)
  return Math.abs(forward - reverse) <= 1e-9 * scale ? undefined : { tag: 'modesDiffer', forward, reverse }
}

/** The derivatives by one input beside differences, up to the first that differs. */
const compared = (derivative: Derivative, order: 1 | 2, bound: Bound, base: Values<number>, seed: number) => {
  const input = inputName(derivative.leaf.path)
  const compare = comparison(derivative, bound, base)
  const report = { input, compared: 0, kinks: 0 }
  for (const index of someElements(dataOf(base, derivative.gradient).length, seed)) {
    const found = compare(index)
    if (found.tag === 'kink') report.kinks++
    else report.compared++
    if (found.tag === 'differs') {
      const { reverse, differences } = found
      const fault: Fault = { tag: 'gradientDiffers', order, input, index, reverse, differences }
      return { fault, report }
    }
  }
  return { report }
}

/** Everything that is claimed of a loss's derivatives, at one sample. */
export const examine = (exam: Exam, sample: Sample): Verdict => {
  const { first, second, forward } = exam
  const bound = boundTo(exam, sample)
  const sources = first.objective.sources.map(({ value }) => value)
  const whole = [first.objective.y, second.objective.y, forward]
  const base = evaluateTensors([...whole, ...first.gradient, ...second.gradient, ...sources], bound, float64)
  const gradientsFinite = (g: Graded, what: string) =>
    g.objective.sources.map(({ path }, i) => notFinite(what, dataOf(base, g.gradient[i]!), path))
  const early = [
    notFinite('the loss', dataOf(base, first.objective.y)),
    ...gradientsFinite(first, 'the gradient'),
    notFinite('the derivative by forward mode', dataOf(base, forward)),
    modesDiffer(exam, base),
  ].find((fault) => fault !== undefined)
  if (early !== undefined) return { fault: early, inputs: [] }
  const inputs: InputReport[] = []
  for (const [order, { objective, gradient }] of [
    [1, first],
    [2, second],
  ] as const)
    for (const [i, leaf] of objective.sources.entries()) {
      const { fault, report } = compared({ objective, leaf, gradient: gradient[i]! }, order, bound, base, sample.seed)
      inputs.push(report)
      if (fault !== undefined) return { fault, inputs }
    }
  return { inputs }
}
