import type { TrainError } from './errors.js'

interface Settings {
  readonly maxTokens: number
  readonly temperature: number
  readonly topK?: number
  readonly topP?: number
}

interface Rule {
  readonly holds: (value: number) => boolean
  readonly takes: string
}

const rules: { readonly [S in keyof Settings]-?: Rule } = {
  maxTokens: { holds: (n) => Number.isSafeInteger(n) && n >= 0, takes: 'a whole number from 0' },
  temperature: { holds: (t) => t === 0 || (t >= 1e-6 && t <= 1e6), takes: '0, or a number from 1e-6 to 1e6' },
  topK: { holds: (k) => Number.isInteger(k) && k >= 1 && k < 2 ** 31, takes: 'a whole number from 1' },
  topP: { holds: (p) => p > 0 && p <= 1, takes: 'a number above 0, 1 at most' },
}

const settingFault = (settings: Settings): TrainError | undefined => {
  for (const [setting, { holds, takes }] of Object.entries(rules) as [keyof Settings, Rule][]) {
    const value = settings[setting]
    if (value !== undefined && !holds(value)) return { tag: 'badSetting', setting, value, takes }
  }
  return undefined
}

const contextFault = (vocab: number, contexts: readonly (readonly number[])[]): TrainError | undefined => {
  const isId = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < vocab
  const row = contexts.findIndex((context) => context.length === 0 || !context.every(isId))
  if (row < 0) return undefined
  const stray = contexts[row]!.find((id) => !isId(id))
  const because = stray === undefined ? 'it has no token' : `it has the id ${String(stray)}, and the vocabulary has ${String(vocab)}`
  return { tag: 'badContext', row, because }
}

/** What is wrong with a question to a policy: the last token of a context is no id that a device checks. */
export const respondFault = (vocab: number, contexts: readonly (readonly number[])[], settings: Settings): TrainError | undefined =>
  settingFault(settings) ?? contextFault(vocab, contexts)
