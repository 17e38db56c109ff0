import type { Turn } from './trajectories.js'

/** A sequence of a trajectory: a prompt, and behind it what the policy wrote and what it read in between. */
export interface PackedSequence {
  readonly prompt: readonly number[]
  readonly answer: readonly number[]
  /** Which tokens of the answer the policy wrote. The fields below have one element for each token of the answer. */
  readonly answerMask: readonly boolean[]
  /** log π in nats at temperature 1; 0 where the policy only read. */
  readonly logProbs: readonly number[]
  /** The same of the distribution that was drawn from. */
  readonly samplingLogProbs: readonly number[]
  /** Empty where the policy only read. */
  readonly kinds: readonly string[]
  /** The turn that a token was written at, −1 where it was only read. */
  readonly turns: readonly number[]
}

const startsWith = (whole: readonly number[], head: readonly number[]): boolean =>
  head.length <= whole.length && head.every((id, i) => id === whole[i])

const idsOf = ({ prompt, answer }: PackedSequence): readonly number[] => [...prompt, ...answer]

const begun = (prompt: readonly number[]): PackedSequence => ({
  ...{ prompt, answer: [], answerMask: [] },
  ...{ logProbs: [], samplingLogProbs: [], kinds: [], turns: [] },
})

const repeated = <X>(x: X, { length }: readonly unknown[]): readonly X[] => Array.from({ length }, () => x)

const withRead = (sequence: PackedSequence, read: readonly number[]): PackedSequence => ({
  prompt: sequence.prompt,
  answer: [...sequence.answer, ...read],
  answerMask: [...sequence.answerMask, ...repeated(false, read)],
  logProbs: [...sequence.logProbs, ...repeated(0, read)],
  samplingLogProbs: [...sequence.samplingLogProbs, ...repeated(0, read)],
  kinds: [...sequence.kinds, ...repeated('', read)],
  turns: [...sequence.turns, ...repeated(-1, read)],
})

const withWritten = (sequence: PackedSequence, { answer, kinds }: Turn, turn: number): PackedSequence => ({
  prompt: sequence.prompt,
  answer: [...sequence.answer, ...answer.ids],
  answerMask: [...sequence.answerMask, ...repeated(true, answer.ids)],
  logProbs: [...sequence.logProbs, ...answer.logProbs],
  samplingLogProbs: [...sequence.samplingLogProbs, ...answer.samplingLogProbs],
  kinds: [...sequence.kinds, ...kinds],
  turns: [...sequence.turns, ...repeated(turn, answer.ids)],
})

/**
 * The turns of a trajectory as sequences: one whose context begins with all of the sequence before it goes on with it, and any other
 * begins a new one. What a tool wrote between two turns is read and not answered for.
 */
export const packed = (turns: readonly Turn[]): readonly PackedSequence[] =>
  turns.reduce<readonly PackedSequence[]>((done, turn, i) => {
    const last = done.at(-1)
    return last !== undefined && startsWith(turn.context, idsOf(last))
      ? [...done.slice(0, -1), withWritten(withRead(last, turn.context.slice(idsOf(last).length)), turn, i)]
      : [...done, withWritten(begun(turn.context), turn, i)]
  }, [])
