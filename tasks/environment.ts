/** A whole number from 0 below n, the i-th of a stream and the same each time: the caller seeds it. */
export type Draw = (i: number, n: number) => number

/** Problems to train on, or never to be trained on. */
export type Split = 'train' | 'heldOut'

export interface Reward {
  /** What the policy is paid. */
  readonly value: number
  /** What the value is made of, by name (`exact`, `fraction`, `format`, …); reported whether it is paid or not. */
  readonly parts: Readonly<Record<string, number>>
}

/** An answer that a model is asked how likely it finds after a context, without sampling. */
export interface Probe {
  readonly context: readonly number[]
  readonly answer: readonly number[]
  /** Which tokens of the answer count in its probability: its values, not what parts and ends them. */
  readonly scored: readonly boolean[]
  /** Which of the scored tokens the context gives away: a reader is judged, and may be taught, by these alone. */
  readonly known: readonly boolean[]
}

/** What the memory of one turn is worth: the same answer after that memory alone, and after everything that it could have kept. */
export interface MemoryProbe {
  /** The turn that wrote the memory, counted from 0. */
  readonly turn: number
  readonly memory: Probe
  readonly history: Probe
}

/** Whose answer the probes ask for: the right one, or the one that the policy gave at the end. */
export type ProbedAnswer = 'gold' | 'generated'

/**
 * A task as a pure description: every state is a value, and the same responses lead from the same problem through the same states, so
 * that a rollout can be replayed. Responses come from a model and may be anything: `act` ends an episode over a bad one, and throws for none.
 */
export interface Environment<S> {
  readonly name: string
  /** The words by their ids, which `tokenizer.json` is made of. */
  readonly vocabulary: readonly string[]
  readonly padId: number
  /** Tokens that end a turn. */
  readonly stopIds: readonly number[]
  /** Of one turn, its stop token included. */
  readonly maxTokens: number
  /** A problem as it stands before the first turn. What `heldOut` asks is never asked by `train`. */
  readonly problem: (split: Split, draw: Draw) => S
  /** What the policy reads at this turn. Where it begins with the last turn's context and response, the turns fit in one sequence. */
  readonly context: (state: S) => readonly number[]
  /** The state after the policy answered. A tool may take its time; those of several rows run at once. */
  readonly act: (state: S, response: readonly number[]) => S | Promise<S>
  readonly isOver: (state: S) => boolean
  /** Of an episode that is over; of one that is not, what it would be if it ended here. */
  readonly reward: (state: S) => Reward
  /** What somebody who knows the task says at this turn, to teach a warm start by. */
  readonly oracle: (state: S, draw: Draw) => readonly number[]
  /** What each token of a response is for (`memory`, `think`, `search`, `answer`, …), for metrics and for advantages by span. */
  readonly kinds: (response: readonly number[]) => readonly string[]
  /** Of an episode that is over, for each turn that wrote a memory of something; only where the policy keeps one. */
  readonly memoryProbes?: (state: S, answer: ProbedAnswer) => readonly MemoryProbe[]
  /** What a problem is by that makes it easier or harder, as `2 objectives`: evaluations tell such sorts apart. */
  readonly sort?: (state: S) => string
  /** An episode as text for people. */
  readonly render: (state: S) => string
}
