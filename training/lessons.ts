import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Key, random } from '../dsl/index.js'
import { demonstrate, type Lesson, probeLessons } from '../tasks/demonstration.js'
import type { Environment } from '../tasks/environment.js'
import { drawFrom } from './draws.js'
import type { TrainError } from './errors.js'
import { evenly } from './evenly.js'

/** Lessons of one kind, in the order of a warm start. */
export interface TeachingStage<S> {
  readonly steps: number
  /** Its oracle teaches. */
  readonly environment: Environment<S>
  /** The share of lessons that are probes of a memory or of a history; turns in their place where the episodes have no more; 0 if not said. */
  readonly probes?: number
}

/** Steps whose lessons are drawn together, so that each step has lessons of like lengths. */
const together = 16

interface Block<S> {
  readonly stage: TeachingStage<S>
  /** The steps before it, of all stages. */
  readonly before: number
  readonly steps: number
}

const blocksIn = <S>(stage: TeachingStage<S>, before: number): readonly Block<S>[] =>
  Array.from({ length: Math.ceil(stage.steps / together) }, (_, i) => ({
    stage,
    before: before + i * together,
    steps: Math.min(together, stage.steps - i * together),
  }))

/** Steps of all stages together. */
export const teachingSteps = <S>(stages: readonly TeachingStage<S>[]): number => stages.reduce((sum, { steps }) => sum + steps, 0)

const blocksOf = <S>(stages: readonly TeachingStage<S>[]): readonly Block<S>[] =>
  stages.flatMap((stage, i) => blocksIn(stage, teachingSteps(stages.slice(0, i))))

interface Taught {
  readonly turns: readonly Lesson[]
  readonly probes: readonly Lesson[]
}

/** At least so many turns of the oracle, in whole episodes, and what their probes teach. */
const taught = async <S>(environment: Environment<S>, wanted: number, key: Key): Promise<Taught> => {
  const turns: Lesson[] = []
  const probes: Lesson[] = []
  for (let episode = 0; episode < wanted && turns.length < wanted; episode++) {
    const own = random.fold(key, episode)
    const problem = environment.problem('train', drawFrom(random.fold(own, 0)))
    const { lessons, state } = await demonstrate(environment)(problem, (turn) => drawFrom(random.fold(own, turn + 1)))
    turns.push(...lessons)
    probes.push(...probeLessons(environment)(state))
  }
  return { turns, probes }
}

const lengthOf = ({ context, response }: Lesson): number => context.length + response.length

const shuffled = <X>(list: readonly X[], key: Key): readonly X[] => random.permutation(key, list.length).map((at) => list[at]!)

/** The lessons of each step of a block. Those of a step are of like lengths, and the steps in no order of length. */
const lessonsOf = async <S>({ stage, steps }: Block<S>, rows: number, key: Key): Promise<readonly (readonly Lesson[])[]> => {
  const count = steps * rows
  const { turns, probes } = await taught(stage.environment, count, random.fold(key, 0))
  const probing = shuffled(probes, random.fold(key, 1)).slice(0, Math.round((stage.probes ?? 0) * count))
  const lessons = [...probing, ...turns.slice(0, count - probing.length)]
  const byLength = lessons.toSorted((x, y) => lengthOf(x) - lengthOf(y))
  return shuffled(evenly(byLength, steps), random.fold(key, 2))
}

/** How many lessons a step has, and where they begin. */
export interface LessonSettings {
  readonly rows: number
  readonly key: Key
  /** The steps that have been; 0 if not said. What comes after them is the same as if they were not left out. */
  readonly from?: number
}

/** What a step teaches. */
export interface Lessons {
  readonly lessons: readonly Lesson[]
  readonly padId: number
}

/** The lessons of each step of a warm start: what an oracle says at each turn of problems to train on, stage by stage. */
export async function* lessonBatches<S>(
  stages: readonly TeachingStage<S>[],
  { rows, key, from = 0 }: LessonSettings,
): AsyncGenerator<E.Either<TrainError, Lessons>> {
  for (const block of blocksOf(stages)) {
    if (block.before + block.steps <= from) continue
    const { name, padId } = block.stage.environment
    const made = await TE.tryCatch(
      () => lessonsOf(block, rows, random.fold(key, block.before)),
      (error): TrainError => ({ tag: 'toolFailed', task: name, because: String(error) }),
    )()
    if (E.isLeft(made)) {
      yield made
      return
    }
    yield* made.right.slice(Math.max(0, from - block.before)).map((lessons) => E.right({ lessons, padId }))
  }
}
