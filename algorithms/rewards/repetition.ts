/** Words and punctuation marks, in lower case. */
const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? []

/**
 * How much a text repeats itself: the share of its n-grams that stood before, times twice the cap and at most the cap. 0 for a text of fewer
 * than n words. Source: MiniMind train_grpo.py `rep_penalty`.
 */
export const repetitionPenalty =
  ({ n, cap }: { readonly n: number; readonly cap: number }) =>
  (text: string): number => {
    const all = words(text)
    const grams = all.slice(n - 1).map((_, i) => all.slice(i, i + n).join(' '))
    return grams.length === 0 ? 0 : Math.min(cap, ((grams.length - new Set(grams).size) / grams.length) * 2 * cap)
  }
