/** An object of JSON, whose fields are not looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (x: unknown): x is JsonObject => typeof x === 'object' && x !== null && !Array.isArray(x)
