import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { Rules } from '../autodiff/index.js'
import { type AnyTensor, axisNames, type Loss, lossProgram, programErrors, requirementsOf, type Value } from '../dsl/index.js'
import { errorsOf, type Exam, examine, examOf, type Verdict } from './examine.js'
import { gradientFlow, inputName } from './flow.js'
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
  /** Where the values of an input lie, by its name (`logProbs`, `layers.0.weight`): for a loss that is not for all numbers. */
  readonly ranges?: Ranges
  /** The size of an open axis, or some to choose from. */
  readonly sizes?: SizesGiven
  /** The command that a replay repeats, with `--seed` and `--path` behind it. */
  readonly command?: string
  /** Another reverse-mode rule than the library's, to test the verifier by. */
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
 * Whether the gradient of a loss is what it should be: on generated sizes, values and masks, reverse mode is compared with central
 * differences in float64, its own derivative as well, and with forward mode. Gradients that are stopped are held during differences;
 * integers and bools are data; points at kinks are counted and left out.
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
  const [bad] = rangeFaults(requirements, fit.right, options.ranges ?? {})
  if (bad !== undefined) return refused(bad)
  const exam = examOf(y, requirements, options.rules)
  const [noDerivative, ...others] = errorsOf(exam)
  if (noDerivative !== undefined) return refused({ tag: 'badGraph', errors: [noDerivative, ...others] })
  const found = tried(loss.name, exam, fit.right, options)
  const somethingCompared = flow.some(({ tag }) => tag === 'gradient') && found.inputs.some(({ compared }) => compared > 0)
  return report(found.failure !== undefined || somethingCompared ? found : { ...found, failure: { tag: 'nothingCompared' } })
}
