/*
 * Search with a memory: questions over a knowledge base, a search tool, and an agent that rewrites its memory at each turn.
 *
 *   reads  <q> 1 government of capital Vilnius ; 2 currency of Oman ; </q>
 *          <mem> 1 via Lithuania ; </mem> <search> government Lithuania </search>
 *          <info> Lithuania dish Cepelinai ; … Lithuania government Republic ; </info> left 5
 *   says   <mem> 1 is Republic ; </mem> <think> 2 </think> <search> currency Oman </search>
 *   last   <mem> 1 is Republic ; 2 is Omani Rial ; </mem> <think> done </think> <answer> Republic ; Omani Rial ; </answer>
 *
 * What the memory drops is gone: the context of a turn is the question, the last memory and the last search. With the context `full` it is
 * the question and everything since, and no memory is written.
 */
export { type Base, baseOf } from './base.js'
export { curriculum, mixes, type Stage } from './curriculum.js'
export { countries, type Domain, elements, type NamedFact } from './domain.js'
export { searchEnvironment } from './environment.js'
export { type End, endOf, type SearchState, type Turn } from './episode.js'
export type { Fact } from './facts.js'
export { badHabits, fewHabits, type Habits, noHabits } from './habits.js'
export { answerOf, type Hops, type Objective, type Objectives } from './objectives.js'
export type { Question } from './questions.js'
export { type ContextKind, defaults, type Mix, type RewardWeights, type SearchSettings } from './settings.js'
export { renderSettingError, type SettingError } from '../setting-error.js'
export type { Action, Kind, Said } from './turn.js'
export type { Vocabulary } from './vocabulary.js'
