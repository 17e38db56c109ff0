import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { random } from '../../dsl/index.js'
import { recall } from '../../tasks/index.js'
import { lessonBatches, type Lessons, linearDecay, type TeachingStage, teachingSteps } from '../../training/index.js'
import { law } from '../law.js'
import { recalling } from '../tasks/recalling.js'

type Stages = readonly TeachingStage<recall.RecallState>[]

/** Recall whose probes end with a token that no turn ends with. */
const mark = recall.padId
const marked = (names: number) => {
  const environment = recalling({ names })
  const probes: typeof environment.memoryProbes = (state, answer) =>
    (environment.memoryProbes?.(state, answer) ?? []).map(({ memory, history, turn }) => {
      const ended = (probe: typeof memory) => ({ ...probe, answer: [...probe.answer.slice(0, -1), mark] })
      return { turn, memory: ended(memory), history: ended(history) }
    })
  return { ...environment, memoryProbes: probes }
}
const isProbe = ({ response }: Lessons['lessons'][number]): boolean => response.at(-1) === mark

const anyStage = fc
  .record({ steps: fc.integer({ min: 1, max: 20 }), names: fc.integer({ min: 2, max: 6 }), probes: fc.constantFrom(0, 0.25, 0.5) })
  .map(({ steps, names, probes }) => ({ steps, probes, environment: marked(names) }))

const anyStages = fc.array(anyStage, { minLength: 1, maxLength: 3 })

const taught = async (stages: Stages, rows: number, seed: number, from = 0): Promise<readonly Lessons['lessons'][]> => {
  const made: Lessons['lessons'][] = []
  for await (const batch of lessonBatches(stages, { rows, key: random.key(seed), from }))
    made.push(E.isRight(batch) ? batch.right.lessons : [])
  return made
}

const rows = fc.integer({ min: 1, max: 6 })

law(
  'every step of every stage has its lessons, of which the asked share are probes',
  fc.asyncProperty(anyStages, rows, fc.nat(), async (stages, rows, seed) => {
    const made = await taught(stages, rows, seed)
    expect(made).toHaveLength(teachingSteps(stages))
    for (const lessons of made) expect(lessons).toHaveLength(rows)
    const first = made.slice(0, Math.min(16, stages[0]!.steps)).flat()
    expect(first.filter(isProbe)).toHaveLength(Math.round(stages[0]!.probes * first.length))
  }),
  { runs: 30 },
)

law(
  'a warm start that goes on after some steps is taught what it would have been',
  fc.asyncProperty(anyStages, rows, fc.nat(), fc.nat({ max: 60 }), async (stages, rows, seed, from) => {
    const whole = await taught(stages, rows, seed)
    expect(await taught(stages, rows, seed, from)).toEqual(whole.slice(from))
  }),
  { runs: 30 },
)

law(
  'the lessons of one step are as long as those of no other that are drawn with them',
  fc.asyncProperty(anyStages, rows, fc.nat(), async ([stage], rows, seed) => {
    const made = await taught([{ ...stage!, steps: 16 }], rows, seed)
    const ranges = made.map((lessons) => lessons.map(({ context, response }) => context.length + response.length))
    const sorted = ranges.toSorted((x, y) => x[0]! - y[0]! || x.at(-1)! - y.at(-1)!)
    sorted.slice(1).forEach((own, i) => expect(own[0]).toBeGreaterThanOrEqual(sorted[i]!.at(-1)!))
  }),
  { runs: 30 },
)

law(
  'the learning rate stays, and then falls in a line to nothing after the last step',
  fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (steps, decay) => {
    const rate = linearDecay({ learningRate: 3, steps, decay })
    const rates = Array.from({ length: steps }, (_, i) => rate(i + 1))
    rates.slice(1).forEach((after, i) => expect(after).toBeLessThanOrEqual(rates[i]!))
    expect(rates.filter((x) => x < 3 - 1e-9).length).toBeLessThanOrEqual(Math.ceil(decay * steps))
    if (steps * (1 - decay) > 1) expect(rate(1)).toBeCloseTo(3, 12)
    expect(rate(steps)).toBeGreaterThan(0)
    expect(rate(steps + 1)).toBe(0)
  }),
)

test('a tool that fails ends the lessons with its reason', async () => {
  const broken = { ...recalling(), act: () => Promise.reject(new Error('no network')) }
  const made = []
  for await (const batch of lessonBatches([{ steps: 3, environment: broken }], { rows: 2, key: random.key(1) })) made.push(batch)
  expect(made).toEqual([E.left({ tag: 'toolFailed', task: 'recall', because: 'Error: no network' })])
})
