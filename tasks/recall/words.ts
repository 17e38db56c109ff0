const digits = Array.from({ length: 10 }, (_, n) => n)

export const names = ['x', 'y', 'z', 'u', 'v', 'w'] as const

/** All 20 words by their ids. The id of a digit is that digit. */
export const vocabulary: readonly string[] = [...digits.map(String), ...names, ';', 'say', '.', '<pad>']

const idOf = (word: string): number => vocabulary.indexOf(word)

export const nameIds: readonly number[] = names.map(idOf)
export const breakId = idOf(';')
export const sayId = idOf('say')
/** The id of `.`, at which a turn ends. */
export const stopId = idOf('.')
export const padId = idOf('<pad>')

export const isDigit = (id: number | undefined): id is number => id !== undefined && id >= 0 && id < 10

export const decode = (ids: readonly number[]): string => ids.map((id) => vocabulary[id] ?? `<${String(id)}>`).join(' ')
