import * as E from 'fp-ts/lib/Either.js'
import type { Draw, Environment, MemoryProbe, Probe, Reward, Split } from '../environment.js'
import { isShare, isWhole, ruled, type SettingError } from '../setting-error.js'
import { sideOf } from '../split.js'
import { breakId, decode, isDigit, nameIds, names as allNames, padId, sayId, stopId, vocabulary } from './words.js'

export interface RecallSettings {
  /** How many names have a digit, from 2 to 6; 3 unless given. Of one name there are ten problems: too few to hold some out. */
  readonly names?: number
  /** How often the oracle forgets a name, from 0 to 1; 0.4 unless given. */
  readonly forgets?: number
}

export interface RecallState {
  /** The digit of each name. */
  readonly digits: readonly number[]
  /** Which name will be asked for. */
  readonly asked: number
  /** What was written at the first turn, without what ended it. */
  readonly memory?: readonly number[]
  readonly response?: readonly number[]
}

const pair = (name: number, digit: number): readonly number[] => [nameIds[name] ?? padId, digit]

const pairs = ({ digits }: RecallState): readonly number[] => digits.flatMap((digit, name) => pair(name, digit))

const question = ({ asked }: RecallState): readonly number[] => [breakId, sayId, nameIds[asked] ?? padId]

const right = ({ digits, asked }: RecallState): number => digits[asked] ?? 0

const problem =
  (names: number) =>
  (split: Split, draw: Draw): RecallState => {
    for (let at = 0; ; at += names + 1) {
      const digits = Array.from({ length: names }, (_, name) => draw(at + name, 10))
      const asked = draw(at + names, names)
      if (sideOf([...digits, asked]) === split) return { digits, asked }
    }
  }

const untilStop = (response: readonly number[]): readonly number[] => {
  const end = response.indexOf(stopId)
  return end < 0 ? response : response.slice(0, end)
}

const isAnswer = ([first, second]: readonly number[]): boolean => isDigit(first) && second === stopId

const reward = (state: RecallState): Reward => {
  const { response = [] } = state
  const format = isAnswer(response) ? 1 : 0
  const exact = format === 1 && response[0] === right(state) ? 1 : 0
  return { value: exact, parts: { exact, format } }
}

/** What the oracle keeps: each pair, unless it forgets it. */
const kept = (state: RecallState, forgets: number, draw: Draw): readonly number[] =>
  state.digits.flatMap((digit, name) => (draw(name, 1000) < 1000 * forgets ? [] : pair(name, digit)))

const holds = (context: readonly number[], [name, digit]: readonly number[]): boolean =>
  context.some((id, i) => id === name && context[i + 1] === digit)

const probe = (state: RecallState, known: readonly number[], digit: number): Probe => ({
  context: [...known, ...question(state)],
  answer: [digit, stopId],
  scored: [true, false],
  known: [holds(known, pair(state.asked, digit)), false],
})

const memoryProbes = (state: RecallState, answer: 'gold' | 'generated'): readonly MemoryProbe[] => {
  const { memory, response = [] } = state
  const said = answer === 'gold' ? right(state) : response[0]
  return memory === undefined || !isDigit(said)
    ? []
    : [{ turn: 0, memory: probe(state, memory, said), history: probe(state, pairs(state), said) }]
}

const render = (state: RecallState): string => {
  const { memory = [], response = [] } = state
  return `${decode(pairs(state))} ; → ${decode(memory)}\n${decode([...memory, ...question(state)])} → ${decode(response)}`
}

/**
 * Digits to keep for a turn: the smallest task with a memory. At the first turn the policy reads the digit of each name and writes a memory;
 * at the second it reads that memory alone, and says the digit of one name.
 *
 *   x 3 y 5 z 7 ;   →   x 3 y 5 z 7 .
 *   x 3 y 5 z 7 ; say y   →   5 .
 */
const recallTask = ({ names, forgets }: Required<RecallSettings>): Environment<RecallState> => ({
  name: 'recall',
  vocabulary,
  padId,
  stopIds: [stopId],
  maxTokens: 2 * names + 1,
  problem: problem(names),
  context: (state) => (state.memory === undefined ? [...pairs(state), breakId] : [...state.memory, ...question(state)]),
  act: (state, response) => (state.memory === undefined ? { ...state, memory: untilStop(response) } : { ...state, response }),
  isOver: ({ response }) => response !== undefined,
  reward,
  oracle: (state, draw) => {
    if (state.memory === undefined) return [...kept(state, forgets, draw), stopId]
    const at = state.memory.indexOf(nameIds[state.asked] ?? padId)
    return [at < 0 ? draw(0, 10) : (state.memory[at + 1] ?? 0), stopId]
  },
  kinds: (response) => response.map(() => (isAnswer(response) ? 'answer' : 'memory')),
  memoryProbes,
  render,
})

/** The task with these settings; every setting that it cannot do. */
export const environment = ({ names = 3, forgets = 0.4 }: RecallSettings = {}): E.Either<
  readonly SettingError[],
  Environment<RecallState>
> => {
  const most = allNames.length
  const errors = [
    ...ruled(isWhole(names, 2, most), 'names', names, `is a whole number from 2 to ${String(most)}`),
    ...ruled(isShare(forgets), 'forgets', forgets, 'is a share from 0 to 1'),
  ]
  return errors.length > 0 ? E.left(errors) : E.right(recallTask({ names, forgets }))
}
