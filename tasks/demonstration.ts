import type { Draw, Environment } from './environment.js'

/** What a policy is taught to say after what it reads. */
export interface Lesson {
  readonly context: readonly number[]
  readonly response: readonly number[]
  /** Which tokens of the response are taught. */
  readonly taught: readonly boolean[]
}

/** An episode played by the oracle. */
export interface Demonstration<S> {
  /** One for each turn. */
  readonly lessons: readonly Lesson[]
  /** As the episode ended. */
  readonly state: S
}

/** The oracle's episode from a problem on; `drawAt` gives each turn a stream of its own. */
export const demonstrate =
  <S>(environment: Environment<S>) =>
  async (problem: S, drawAt: (turn: number) => Draw): Promise<Demonstration<S>> => {
    const lessons: Lesson[] = []
    let state = problem
    for (let turn = 0; !environment.isOver(state); turn++) {
      const context = environment.context(state)
      const response = environment.oracle(state, drawAt(turn))
      lessons.push({ context, response, taught: response.map(() => true) })
      state = await environment.act(state, response)
    }
    return { lessons, state }
  }

/**
 * The right answer after each memory of an episode and after each history, without which what a policy says to a probe means nothing.
 * Values that the context does not give away are not taught: there is nothing in it to learn them from.
 */
export const probeLessons =
  <S>({ memoryProbes }: Environment<S>) =>
  (state: S): readonly Lesson[] =>
    (memoryProbes?.(state, 'gold') ?? [])
      .flatMap(({ memory, history }) => [memory, history])
      .map(({ context, answer, scored, known }) => ({ context, response: answer, taught: answer.map((_, i) => !scored[i] || known[i]!) }))
