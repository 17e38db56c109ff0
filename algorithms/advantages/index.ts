/** What a token or a response was worth, as data for a loss: from rewards, groups of responses and a critic. */
export type { OutsideRule } from './along-response.js'
export * from './gae.js'
export * from './remax.js'
export * from './returns.js'
export * from './sequence-reward.js'
export * from './whiten.js'
