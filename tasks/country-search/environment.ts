import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Environment } from '../environment.js'
import type { SettingError } from '../setting-error.js'
import type { Base } from './base.js'
import { contextOf } from './context.js'
import { tooFew } from './enough.js'
import { actIn, endOf, type SearchState } from './episode.js'
import { oracleOf } from './oracle.js'
import { memoryProbesOf } from './probes.js'
import { questionOf } from './questions.js'
import { renderOf } from './render.js'
import { rewardOf } from './reward.js'
import { mostObjectives, type SearchSettings, settingsFrom } from './settings.js'
import { kindsOf } from './turn.js'

/** Of one turn: a memory of 4 words for each objective, a thought, an answer of 2 for each, their tags, and a little to spare. */
const turnLength = (objectives: number): number => Math.max(40, 6 * objectives + 8)

/** Search over a base as a task. Environments of one base have the same words, so a curriculum is one base and several settings. */
const searchTask = (base: Base, settings: SearchSettings): Environment<SearchState> => {
  const { domain, vocabulary } = base
  const { context, habits, reward } = settings
  const maxTokens = turnLength(mostObjectives(settings.objectives))
  const question = questionOf(base, settings)
  return {
    name: `${domain.name}-search`,
    vocabulary: vocabulary.vocabulary,
    padId: vocabulary.padId,
    stopIds: [vocabulary.close.search, vocabulary.close.answer],
    maxTokens,
    problem: (split, draw) => ({ question: question(split, draw), turns: [] }),
    context: contextOf(vocabulary, context),
    act: actIn(base, settings, maxTokens),
    isOver: (state) => endOf(state) !== undefined,
    reward: rewardOf(reward),
    oracle: oracleOf(vocabulary, context, habits),
    kinds: kindsOf(vocabulary),
    ...(context === 'memory' && { memoryProbes: memoryProbesOf(vocabulary) }),
    sort: ({ question: { objectives } }) => `${String(objectives.length)} objective${objectives.length === 1 ? '' : 's'}`,
    render: renderOf(vocabulary, settings),
  }
}

/** The task of a base with these settings, the defaults where they say nothing; every setting that it cannot do. */
export const searchEnvironment = (
  base: Base,
  settings: Partial<SearchSettings> = {},
): E.Either<readonly SettingError[], Environment<SearchState>> =>
  pipe(
    settingsFrom(settings),
    E.flatMap((whole) => {
      const errors = tooFew(base, whole)
      return errors.length > 0 ? E.left(errors) : E.right(whole)
    }),
    E.map((whole) => searchTask(base, whole)),
  )
