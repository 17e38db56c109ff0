import { type LengthBand, lengthReward } from './length.js'

const closing = '</think>'

/** A response as the thought before its first closing tag and the answer behind it; without one it is all answer. */
export const splitThinking = (response: string): { readonly thinking?: string; readonly answer: string } => {
  const end = response.indexOf(closing)
  return end < 0 ? { answer: response } : { thinking: response.slice(0, end), answer: response.slice(end + closing.length) }
}

export interface ThinkingRewards {
  readonly band: LengthBand
  /** For a thought within the band, and for another. */
  readonly length: { readonly inside: number; readonly outside: number }
  /** For one closing tag, and for more. */
  readonly tags: { readonly one: number; readonly several: number }
}

/** For a thought of a good length, closed once; 0 where there is no closing tag. Source: MiniMind train_grpo.py `calculate_rewards`. */
export const thinkingReward =
  ({ band, length, tags }: ThinkingRewards) =>
  (response: string): number => {
    const { thinking } = splitThinking(response)
    if (thinking === undefined) return 0
    const closed = response.split(closing).length - 1
    return lengthReward(band, length)(thinking) + (closed === 1 ? tags.one : tags.several)
  }
