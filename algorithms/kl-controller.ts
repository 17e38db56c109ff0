/** How the weight of the KL follows a target. All of it is numbers of the host, between two steps. */
export interface KlControllerSettings {
  /** The KL to hold, nats a token. */
  readonly target: number
  /** The number of samples over which a relative error of 1 changes the weight by its own size. A step of more than horizon/limit samples may turn its sign. */
  readonly horizon: number
  /** The greatest relative error that counts; 0.2 if not said. */
  readonly limit?: number
}

/** What a step has seen. */
export interface MeasuredKl {
  readonly kl: number
  /** How many samples it was measured on. */
  readonly samples: number
}

/**
 * The weight of the KL for the next step: more where the KL was above its target, less where it was below.
 *
 *   β′ = β·(1 + clip(kl/target − 1, −limit, limit)·samples/horizon)
 *
 * Source: Fine-Tuning Language Models from Human Preferences, arXiv:1909.08593, section 2.2.
 */
export const adaptedKlWeight =
  ({ target, horizon, limit = 0.2 }: KlControllerSettings) =>
  (beta: number, { kl, samples }: MeasuredKl): number => {
    const error = Math.min(Math.max(kl / target - 1, -limit), limit)
    return beta * (1 + (error * samples) / horizon)
  }
