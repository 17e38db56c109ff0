import { isJsonObject, type JsonObject } from '../json-object.js'

/** A line of a file of JSON lines, not looked at yet. */
export type Line = JsonObject

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The lines that are records, and how many are not: a kill cuts the last one. */
export const linesIn = (text: string): { readonly lines: readonly Line[]; readonly unreadable: number } => {
  const all = text.split('\n').filter((line) => line.trim() !== '')
  const lines = all.map(parsed).filter(isJsonObject)
  return { lines, unreadable: all.length - lines.length }
}

/** What stands at a path of a line, as `update.numbers.refKl`. */
export const at = (line: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), line)

/** A finite number there: JSON has no other, and a run writes them as text. */
export const numberAt = (line: unknown, path: string): number | undefined => {
  const found = at(line, path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** A record of numbers there, without what is no number. */
export const numbersAt = (line: unknown, path: string): Readonly<Record<string, number>> => {
  const found = at(line, path)
  return isJsonObject(found)
    ? Object.fromEntries(
        Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1])),
      )
    : {}
}

export const ofStage =
  (stage: string) =>
  (line: Line): boolean =>
    line['stage'] === stage && numberAt(line, 'step') !== undefined

/** What stands there as a person would say it; a record or a list is not said. */
export const textAt = (line: unknown, path: string): string | undefined => {
  const found = at(line, path)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined
}
