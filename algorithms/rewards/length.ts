/** From how many characters to how many a text may have, both included, white space around it not counted. */
export interface LengthBand {
  readonly least: number
  readonly most: number
}

/** Unicode code points, so that a letter of any script counts once. */
export const charactersOf = (text: string): number => Array.from(text.trim()).length

/** `inside` where the length lies in the band, else `outside`. Source: MiniMind train_grpo.py `calculate_rewards`. */
export const lengthReward =
  ({ least, most }: LengthBand, { inside, outside }: { readonly inside: number; readonly outside: number }) =>
  (text: string): number => {
    const length = charactersOf(text)
    return length >= least && length <= most ? inside : outside
  }

/**
 * 0 up to `most − buffer` tokens, then falling in a straight line to −penalty at `most`, and on beyond it.
 *
 *   min( −penalty·(n − (most − buffer)) / buffer, 0 )
 *
 * Source: DAPO, arXiv:2503.14476, eq. 13; as verl's reward manager has it.
 */
export const overlongPenalty =
  ({ most, buffer, penalty }: { readonly most: number; readonly buffer: number; readonly penalty: number }) =>
  (tokens: number): number =>
    Math.min((-penalty * (tokens - (most - buffer))) / buffer, 0)
