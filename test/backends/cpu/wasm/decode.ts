import { memoryOps, numericOps } from '../../../../backends/cpu/wasm/encode/opcodes.js'
import { laneOps } from '../../../../backends/cpu/wasm/encode/vector-opcodes.js'

/** The names of the instructions of a loop that has no loop inside it. */
export type InnerLoop = readonly string[]

const sections = { code: 10 }

const numeric = new Map(Object.entries(numericOps).map(([name, [code]]) => [code as number, name]))
const memory = new Map(Object.entries(memoryOps).map(([name, [code]]) => [code as number, name]))
const lane = new Map(Object.entries(laneOps).map(([name, row]) => [row[0] as number, { name, immediates: row[3] }]))

/** Reads the bytes of a module as they are: nothing of what made them is asked. */
const reader = (bytes: Uint8Array) => {
  let at = 0
  const byte = (): number => bytes[at++]!
  const number = (): number => {
    const low = byte()
    return low < 0x80 ? low : (low & 0x7f) + 0x80 * number()
  }
  const skip = (count: number): void => void (at += count)
  return { byte, number, skip, at: () => at, end: () => at >= bytes.length }
}

type Reader = ReturnType<typeof reader>

/** What follows an instruction that is in no table. */
const immediates: Readonly<Record<number, (r: Reader) => void>> = {
  0x0c: (r) => r.number(),
  0x0d: (r) => r.number(),
  0x10: (r) => r.number(),
  0x20: (r) => r.number(),
  0x21: (r) => r.number(),
  0x22: (r) => r.number(),
  0x41: (r) => r.number(),
  0x42: (r) => r.number(),
  0x43: (r) => r.skip(4),
  0x44: (r) => r.skip(8),
  0xfd_000c: (r) => r.skip(16),
}

const names: Readonly<Record<number, string>> = { 0x10: 'call', 0xfd_000c: 'v128.const' }

interface Open {
  readonly isLoop: boolean
  readonly instructions: string[]
  hasLoop: boolean
}

/** The innermost loops of a function's body, up to its end. */
const innerLoops = (r: Reader, end: number): readonly InnerLoop[] => {
  const found: InnerLoop[] = []
  const open: Open[] = [{ isLoop: false, instructions: [], hasLoop: false }]
  const note = (name: string): void => open.forEach(({ instructions }) => instructions.push(name))
  while (r.at() < end) {
    const first = r.byte()
    const code = first >= 0xfc ? (first << 16) | r.number() : first
    const access = memory.get(code)
    const named = lane.get(code)
    if (code === 0x02 || code === 0x03 || code === 0x04) {
      r.byte()
      if (code === 0x03) for (const outer of open) outer.hasLoop = true
      open.push({ isLoop: code === 0x03, instructions: [], hasLoop: false })
    } else if (code === 0x0b) {
      const closed = open.pop()
      if (closed?.isLoop === true && !closed.hasLoop) found.push(closed.instructions)
    } else if (access !== undefined) {
      r.number()
      r.number()
      note(access)
    } else if (named !== undefined) {
      r.skip(named.immediates)
      note(named.name)
    } else {
      immediates[code]?.(r)
      note(numeric.get(code) ?? names[code] ?? code.toString(16))
    }
  }
  return found
}

/** For each function of a module, in order, its innermost loops. */
export const decodeLoops = (bytes: Uint8Array): readonly (readonly InnerLoop[])[] => {
  const r = reader(bytes)
  r.skip(8)
  while (!r.end()) {
    const [id, size] = [r.byte(), r.number()]
    if (id !== sections.code) {
      r.skip(size)
      continue
    }
    return Array.from({ length: r.number() }, () => {
      const end = r.number() + r.at()
      const groups = r.number()
      for (let i = 0; i < groups; i++) {
        r.number()
        r.byte()
      }
      return innerLoops(r, end)
    })
  }
  return []
}
