/** A loss to begin with: REINFORCE kept near a reference. */
const loss = (name: string): string => `import { pipe } from 'fp-ts/lib/function.js'
import { aggregate, klK3, responseOnly, tokenMean } from 'axgrad/algorithms'
import { bool, defineLoss, f32, mul, neg, stopGradient, sub } from 'axgrad/dsl'

/**
 *   L = −mean over response tokens of [ log π · A − 0.05 · KL(π‖π_ref) ]
 *
 * The names of the inputs are what a trainer knows: logProbs, oldLogProbs, refLogProbs, advantages, responseMask, …
 */
export const loss = defineLoss({
  name: ${JSON.stringify(name)},
  inputs: {
    logProbs: f32('batch', 'time'),
    refLogProbs: f32('batch', 'time'),
    advantages: f32('batch'),
    responseMask: bool('batch', 'time'),
  },
  loss: ({ responseMask, ...given }) => {
    // The mask selects before anything is computed: what stands where nobody answered reaches neither value nor gradient.
    const only = responseOnly(responseMask)
    const [logProbs, refLogProbs] = [only(given.logProbs), only(stopGradient(given.refLogProbs))]
    const objective = sub(mul(logProbs, stopGradient(given.advantages)), mul(0.05, klK3(logProbs, refLogProbs)))
    return pipe(objective, aggregate(tokenMean)(responseMask), neg)
  },
})
`

const check = `import { checkGradient, logProbs, renderReport } from 'axgrad/verify'
import { loss } from './loss.js'

// On generated sizes, values and masks: the gradient against differences of the value, and whether it reaches logProbs and nothing else.
const report = checkGradient(loss, {
  runs: 100,
  ranges: { logProbs, refLogProbs: logProbs },
  gradients: { logProbs: 'whole' },
})

console.log(renderReport(report))
process.exitCode = report.failure === undefined ? 0 : 1
`

const config = (schema: string): string =>
  `${JSON.stringify(
    {
      $schema: schema,
      task: { name: 'countdown' },
      reinforcement: { lossFile: 'loss.ts', steps: 40, learningRate: 0.001 },
      evaluation: { questions: 128 },
    },
    null,
    2,
  )}\n`

const readme = (name: string): string => `# ${name}

    npx axgrad check loss.ts        # is the gradient right?
    npx axgrad inspect loss.ts      # what does it become?
    npx tsx check.ts                # does it flow where it should?
    npx axgrad train config.json --out run
    npx axgrad report run

Run them in this folder.
`

/** The files of a new loss, by their names. */
export const filesOf = (name: string, schema: string): Readonly<Record<string, string>> => ({
  'loss.ts': loss(name),
  'check.ts': check,
  'config.json': config(schema),
  'README.md': readme(name),
})
