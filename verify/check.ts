import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { Rules } from '../autodiff/index.js'
import { type AnyTensor, axisNames, type Loss, lossProgram, programErrors, requirementsOf, type Value } from '../dsl/index.js'
import { errorsOf, type Exam, examine, examOf, type Sides, type Verdict } from './examine.js'
import { gradientFlow, inputName, type Reach } from './flow.js'
import { flowFaults } from './flow-faults.js'
import type { Failure, Fault, Found, InputReport, Report } from './report.js'
import { rangeFaults } from './range-faults.js'
import { type Ranges, type Sample, samples } from './sample.js'
import { admissibleSizes, type Sizes, type SizesGiven } from './sizes.js'

export interface CheckOptions {
  /** How many samples to compare; 100 unless given. */
  readonly runs?: number
  /** Another seed, other samples; 1 unless given. */
  readonly seed?: number
  /** With the seed it came with: the counterexample of an earlier report. */
  readonly path?: string
  /**
   * Where the values of an input lie, by its name (`logProbs`, `layers.0.weight`): for a loss that is not for all numbers. Two numbers, or
   * one of the arbitraries, such as `logProbs` or `ties(0, 1)`.
   */
  readonly ranges?: Ranges
  /** The size of an open axis, or some to choose from. */
  readonly sizes?: SizesGiven
  /**
   * The inputs that a gradient is to reach, and no other: on the whole, or partly, other ways being stopped. A weight that nobody stopped is
   * then a failure, not a line of the table.
   */
  readonly gradients?: Readonly<Record<string, Reach>>
  /**
   * For an input in which the loss has kinks: which slope the gradient is there, `left`, `right` or any `between` them. Such points are left
   * out unless this is given. A jump has no slope, and is left out all the same.
   */
  readonly sides?: Sides
  /** The command that a replay repeats, with `--seed` and `--path` behind it. */
  readonly command?: string
  /** Other rules of the derivative than the library's, to test the verifier by. */
  readonly rules?: Rules
}

const added = (all: readonly InputReport[], more: readonly InputReport[]): readonly InputReport[] =>
  all.map((report) =>
    more
      .filter(({ input }) => input === report.input)
      .reduce((sum, { compared, kinks }) => ({ ...sum, compared: sum.compared + compared, kinks: sum.kinks + kinks }), report),
  )

const foundAt = (name: string, { values }: Sample, seed: number, shrinkPath: string, command: string | undefined): Found => ({
  counterexample: Object.fromEntries([...values].map(([path, value]): readonly [string, Value] => [inputName(path), value])),
  seed,
  shrinkPath,
  replay:
    command === undefined
      ? `checkGradient(${name}, { seed: ${String(seed)}, path: '${shrinkPath}' })`
      : `${command} --seed ${String(seed)} --path ${shrinkPath}`,
})

type Tried = Pick<Report, 'runs' | 'inputs'> & { readonly failure?: Failure }

/** Try samples until one shows a fault; then the smallest that shows one. */
const tried = (name: string, exam: Exam, fit: readonly Sizes[], options: CheckOptions): Tried => {
  const { runs = 100, seed = 1, path = '', ranges = {}, command } = options
  let inputs: readonly InputReport[] = exam.first.objective.sources.map(({ path: own }) => ({
    input: inputName(own),
    compared: 0,
    kinks: 0,
  }))
  const judge = (sample: Sample): Verdict => {
    const verdict = examine(exam, sample)
    inputs = added(inputs, verdict.inputs)
    return verdict
  }
  const property = fc.property(samples(exam.requirements, fit, ranges), (sample) => judge(sample).fault === undefined)
  const details = fc.check(property, { seed, path, numRuns: runs })
  const smallest = details.counterexample?.[0]
  const counts = { runs: details.numRuns, inputs }
  if (smallest === undefined) return counts
  const fault: Fault = examine(exam, smallest).fault!
  return { ...counts, failure: { ...fault, ...foundAt(name, smallest, details.seed, details.counterexamplePath ?? '', command) } }
}

/**
 * Whether the gradient of a loss is what it should be. On generated sizes, values and masks, in float64:
 *
 * - the loss, its gradient and its derivative by forward mode are numbers;
 * - forward mode and reverse mode agree: J·v = ⟨Jᵀ·1, v⟩;
 * - reverse mode is what central differences tend to, by single elements;
 * - where elements tie, their shares of the gradient add up: the derivative is compared in a direction in which equal elements stay equal;
 * - so is its own derivative, in a random direction: the second order.
 *
 * What is stopped is held at its value meanwhile; integers and bools are data. At a kink there is no derivative: such elements are
 * counted and left out, unless `sides` says which slope is meant. Tolerances follow from the step and from the rounding of the values at
 * hand. The first failure is shrunk to the smallest values that show it.
 */
export const checkGradient = <I>(loss: Loss<I>, options: CheckOptions = {}): Report => {
  const program = lossProgram(loss)
  const flow = gradientFlow(program)
  const report = ({ runs, inputs, failure }: Tried): Report => ({
    name: loss.name,
    runs,
    inputs,
    flow,
    ...(failure === undefined ? {} : { failure }),
  })
  const refused = (failure: Failure): Report => report({ runs: 0, inputs: [], failure })

  const [wrong, ...more] = programErrors(program)
  if (wrong !== undefined) return refused({ tag: 'badGraph', errors: [wrong, ...more] })
  const y: AnyTensor = program.outputs.loss // a loss of the user's need not be what its type says
  if (y.dtype !== 'f32' || y.axes.length > 0) return refused({ tag: 'notScalar', dtype: y.dtype, axes: axisNames(y) })
  const requirements = requirementsOf(program)
  const fit = admissibleSizes(requirements, options.sizes ?? {})
  if (E.isLeft(fit)) return refused({ tag: 'noSizes', errors: fit.left })
  const [bad] = [
    ...rangeFaults(requirements, fit.right, options.ranges ?? {}),
    ...(options.gradients === undefined ? [] : flowFaults(flow, options.gradients)),
  ]
  if (bad !== undefined) return refused(bad)
  const exam = examOf(y, requirements, options.sides, options.rules)
  const [noDerivative, ...others] = errorsOf(exam)
  if (noDerivative !== undefined) return refused({ tag: 'badGraph', errors: [noDerivative, ...others] })
  const found = tried(loss.name, exam, fit.right, options)
  const somethingCompared = flow.some(({ tag }) => tag === 'gradient') && found.inputs.some(({ compared }) => compared > 0)
  return report(found.failure !== undefined || somethingCompared ? found : { ...found, failure: { tag: 'nothingCompared' } })
}
