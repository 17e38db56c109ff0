/** Lower case, without punctuation and articles, single spaces: SQuAD's way of comparing. */
const normalised = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')

/** 1 where the two say the same, but for case, punctuation, articles and spaces; else 0. Source: SQuAD, arXiv:1606.05250. */
export const exactMatch =
  (truth: string) =>
  (answer: string): number =>
    Number(normalised(answer) === normalised(truth))

/** 2·p·r/(p + r) of the words that both have, each as often as both have it: 1 where all agree, 0 where none does. Source: SQuAD, arXiv:1606.05250. */
export const f1 =
  (truth: string) =>
  (answer: string): number => {
    const [said, right] = [normalised(answer), normalised(truth)].map((text) => (text === '' ? [] : text.split(' '))) as [
      string[],
      string[],
    ]
    if (said.length === 0 || right.length === 0) return Number(said.length === right.length)
    const left = new Map<string, number>()
    for (const word of right) left.set(word, (left.get(word) ?? 0) + 1)
    let shared = 0
    for (const word of said) {
      const more = left.get(word) ?? 0
      if (more > 0) shared += 1
      left.set(word, more - 1)
    }
    return (2 * shared) / (said.length + right.length)
  }

const withoutCommas = (text: string): string => text.replaceAll(',', '')

const numbersIn = (text: string): readonly number[] => (withoutCommas(text).match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)

/**
 * Whether a text states a fact: as a number, to 1e-6 and whatever its commas, or as a part of the text, in any case. A digit alone is a part
 * of every number that has it. Source: MiniMind train_agent.py `validate_gt_in_text`.
 */
export const states =
  (text: string) =>
  (fact: string): boolean => {
    const n = Number(withoutCommas(fact.trim()))
    const isNumber = fact.trim() !== '' && Number.isFinite(n)
    return (isNumber && numbersIn(text).some((x) => Math.abs(x - n) < 1e-6)) || text.toLowerCase().includes(fact.trim().toLowerCase())
  }

/** A number within its bounds, as the score of a reward model that must not outweigh what is checked. */
export const clippedScore =
  (bound: number) =>
  (score: number): number =>
    Math.min(bound, Math.max(-bound, score))
