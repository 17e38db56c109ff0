export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The arguments that each tool must be given. */
export type Tools = Readonly<Record<string, readonly string[]>>

const isRecord = (x: unknown): x is Readonly<Record<string, unknown>> => typeof x === 'object' && x !== null && !Array.isArray(x)

const parsed = (text: string): readonly ToolCall[] => {
  try {
    const call: unknown = JSON.parse(text)
    return isRecord(call) && typeof call['name'] === 'string'
      ? [{ name: call['name'], arguments: isRecord(call['arguments']) ? call['arguments'] : {} }]
      : []
  } catch {
    return [] // what is no JSON is no call
  }
}

/** The calls of a turn: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. What does not parse is left out. */
export const toolCallsOf = (turn: string): readonly ToolCall[] =>
  [...turn.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>/g)].flatMap(([, body = '']) => parsed(body.trim()))

/** How many more tags a text opens than it closes, or closes than it opens. */
export const unbalancedTags = (text: string): number => Math.abs(text.split('<tool_call>').length - text.split('</tool_call>').length)

/** Whether the tool exists and is given all that it must be. */
export const isValidCall =
  (tools: Tools) =>
  ({ name, arguments: given }: ToolCall): boolean =>
    Object.hasOwn(tools, name) && tools[name]!.every((argument) => Object.hasOwn(given, argument))

/** |valid calls − wanted| + invalid ones: 0 where all were right and as many as were wanted. */
export const callGap =
  (tools: Tools, wanted: number) =>
  (calls: readonly ToolCall[]): number => {
    const valid = calls.filter(isValidCall(tools)).length
    return Math.abs(valid - wanted) + calls.length - valid
  }
