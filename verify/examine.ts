import * as E from 'fp-ts/lib/Either.js'
import type { Rules } from '../autodiff/index.js'
import { evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, bind, type Bound, type GraphError, random, type Requirements, topological, type Value } from '../dsl/index.js'
import { alongTies, byElement, type Side } from './compare.js'
import { greatest, roundingOf } from './differences.js'
import { inputName } from './flow.js'
import { alongDirection, boundDirections, forwards, gradients, type Objective, objectiveOf } from './objective.js'
import type { Fault, InputReport } from './report.js'
import type { Sample } from './sample.js'

/** Which slope a gradient has to be where a loss has a kink in an input, by the input's name. */
export type Sides = Readonly<Record<string, Side>>

/** A loss with all that is to be compared, built once for all samples. */
export interface Exam {
  readonly requirements: Requirements
  readonly first: Graded
  readonly second: Graded
  readonly forward: AnyTensor
  readonly sides: Sides
}

interface Graded {
  readonly objective: Objective
  readonly gradient: readonly AnyTensor[]
}

const graded = (objective: Objective, rules?: Rules): Graded => ({ objective, gradient: gradients(objective, rules) })

export const examOf = (loss: AnyTensor, requirements: Requirements, sides: Sides = {}, rules?: Rules): Exam => {
  const first = graded(objectiveOf(loss), rules)
  const along = alongDirection(first.objective, first.gradient)
  return { requirements, first, second: graded(along, rules), forward: forwards(first.objective, rules), sides }
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

/** An exam at one sample, evaluated. */
interface Sitting {
  readonly exam: Exam
  readonly bound: Bound
  readonly base: Values<number>
  readonly seed: number
}

const directionsOf = ({ values, seed }: Sample): ReadonlyMap<string, Value> => {
  const list = [...values].map(([path, { sizes, data }], stream): readonly [string, Value] => {
    const from = random.fold(random.key(seed), stream)
    return [path, { sizes, data: Array.from(data, (_, i) => 2 * random.uniform(from, i) - 1) }]
  })
  return boundDirections(new Map(list))
}

const dataOf = (values: Values<number>, x: AnyTensor): readonly number[] => values.get(x.node)!.data

const notFinite = (what: string, data: readonly number[], path?: string): Fault | undefined => {
  const index = data.findIndex((x) => !Number.isFinite(x))
  if (index < 0) return undefined
  return { tag: 'notFinite', what, value: data[index]!, ...(path === undefined ? {} : { input: inputName(path), index }) }
}

const notAllFinite = ({ exam: { first, forward }, base }: Sitting): Fault | undefined =>
  [
    notFinite('the loss', dataOf(base, first.objective.y)),
    ...first.objective.sources.map(({ path }, i) => notFinite('the gradient', dataOf(base, first.gradient[i]!), path)),
    notFinite('the derivative by forward mode', dataOf(base, forward)),
  ].find((fault) => fault !== undefined)

/** ⟨∇f, v⟩ by reverse mode is J·v by forward mode, but for rounding. */
const modesDiffer = ({ exam, bound, base }: Sitting): Fault | undefined => {
  const both = [exam.forward, exam.second.objective.y]
  const [forward, reverse] = both.map((y) => dataOf(base, y)[0]!) as [number, number]
  const apart = Math.abs(forward - reverse)
  const scale = exam.first.gradient.reduce((sum, g) => dataOf(base, g).reduce((total, x) => total + Math.abs(x), sum), 0)
  if (apart <= 1e-12 * scale) return undefined
  const rounding = both.reduce((sum, y) => sum + roundingOf(y, bound, new Map(), greatest([...base.values()])), 0)
  return apart <= rounding ? undefined : { tag: 'modesDiffer', forward, reverse }
}

const tiesDiffer = ({ exam: { first }, bound, base, seed }: Sitting): Fault | undefined => {
  const sources = first.objective.sources.map(({ value }) => value)
  const found = alongTies({ objective: first.objective, sources, gradient: first.gradient }, bound, base, seed)
  return found.tag === 'differs' ? { tag: 'tiesDiffer', reverse: found.reverse, differences: found.differences } : undefined
}

/** At most so many elements of each input are compared in one sample; which, the sample's seed says. */
const elementsCompared = 4

export const someElements = (n: number, seed: number): readonly number[] => {
  if (n <= elementsCompared) return Array.from({ length: n }, (_, i) => i)
  return Array.from({ length: elementsCompared }, (_, i) => random.integer(random.key(seed), i, n))
}

/** The derivatives by one input beside differences, up to the first that differs. */
const compared = ({ exam, bound, base, seed }: Sitting, order: 1 | 2, k: number) => {
  const { objective, gradient } = order === 1 ? exam.first : exam.second
  const { path, value } = objective.sources[k]!
  const input = inputName(path)
  const compare = byElement(objective, value, gradient[k]!, bound, base, order === 1 ? exam.sides[input] : undefined)
  const report = { input, compared: 0, kinks: 0 }
  for (const index of someElements(dataOf(base, value).length, seed)) {
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

/** The derivatives by all inputs, up to the first that differs. */
const ofOrder = (sitting: Sitting, order: 1 | 2): Verdict => {
  const inputs: InputReport[] = []
  for (const k of sitting.exam.first.objective.sources.keys()) {
    const { fault, report } = compared(sitting, order, k)
    inputs.push(report)
    if (fault !== undefined) return { fault, inputs }
  }
  return { inputs }
}

const sit = (exam: Exam, sample: Sample, { sizes, values }: Bound): Sitting => {
  const { first, second, forward } = exam
  const bound = { sizes, values: new Map([...values, ...directionsOf(sample)]) }
  const sources = first.objective.sources.map(({ value }) => value)
  const whole = [first.objective.y, second.objective.y, forward]
  const base = evaluateTensors([...whole, ...first.gradient, ...second.gradient, ...sources], bound, float64)
  return { exam, bound, base, seed: sample.seed }
}

/** Everything that is claimed of a loss's derivatives, at one sample. */
export const examine = (exam: Exam, sample: Sample): Verdict => {
  const given = [...sample.values].map(([path, value]) => ({ path, value }))
  const bound = bind(exam.requirements, given)
  if (E.isLeft(bound)) return { fault: { tag: 'doesNotFit', errors: bound.left }, inputs: [] }
  const sitting = sit(exam, sample, bound.right)
  const early = notAllFinite(sitting) ?? modesDiffer(sitting)
  if (early !== undefined) return { fault: early, inputs: [] }
  const first = ofOrder(sitting, 1)
  if (first.fault !== undefined) return first
  const ties = tiesDiffer(sitting)
  if (ties !== undefined) return { ...first, fault: ties }
  const second = ofOrder(sitting, 2)
  return { ...second, inputs: [...first.inputs, ...second.inputs] }
}
