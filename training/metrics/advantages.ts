import type { Row } from '../reinforcement/rows.js'
import { groupedBy, mean, type Numbers, std } from './statistics.js'

/** What is said of the advantages that the tokens of a step learn by, those of memories among them. */
export interface AdvantageMetrics {
  readonly mean: number
  readonly std: number
  /** The mean over the tokens of each kind: `memory`, `think`, `search`, `answer`, … */
  readonly byKind: Numbers
}

interface Token {
  readonly kind: string
  readonly advantage: number
}

/** A_outcome + A_memory of each token of a row that the policy wrote. */
export const writtenTokens = ({
  answerMask,
  kinds,
  advantage,
  memoryAdvantages,
  tokens: { advantages, spanTurn },
}: Row): readonly Token[] =>
  kinds.flatMap((kind, i) =>
    answerMask[i] === true ? [{ kind, advantage: (advantages?.[i] ?? advantage) + (memoryAdvantages[spanTurn?.[i] ?? -1] ?? 0) }] : [],
  )

/** A_outcome + A_memory of each token that the policy wrote: what MemPO learns by; without memories, the outcome's alone. */
export const advantagesOf = (rows: readonly Row[]): AdvantageMetrics => {
  const tokens = rows.flatMap(writtenTokens)
  const all = tokens.map(({ advantage }) => advantage)
  const byKind = groupedBy(tokens, ({ kind }) => kind).map(
    (own) => [own[0]?.kind ?? '', mean(own.map(({ advantage }) => advantage))] as const,
  )
  return { mean: mean(all), std: all.length === 0 ? 0 : std(all), byKind: Object.fromEntries(byKind) }
}
