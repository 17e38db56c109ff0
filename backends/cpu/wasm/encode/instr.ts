import { littleEndian, signed, unsigned, type Bytes } from './bytes.js'
import type { Instr, Literal, ValType } from './module.js'
import { memoryOps, numericOps } from './opcodes.js'
import { laneOps } from './vector-opcodes.js'

/** What the names in a body stand for, where the instruction is: indices, and the open labels from the outermost in. */
interface Scope {
  readonly variables: ReadonlyMap<string, number>
  readonly functions: ReadonlyMap<string, number>
  readonly labels: readonly string[]
}

export const valTypes: { readonly [T in ValType]: number } = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b }

const end = 0x0b

const encodeInstr = (scope: Scope, instr: Instr): Bytes => {
  const all = (instrs: readonly Instr[]): Bytes => encodeInstrs(scope, instrs)
  const one = (operand: Instr): Bytes => encodeInstr(scope, operand)
  switch (instr.tag) {
    case 'numeric':
      return [all(instr.args), opcode(numericOps[instr.op][0])]
    case 'lane':
      return [all(instr.args), opcode(laneOps[instr.op][0]), instr.lanes]
    case 'memory':
      return [all(instr.args), opcode(memoryOps[instr.op][0]), unsigned(Math.log2(instr.align)), unsigned(instr.offset)]
    case 'const':
      return encodeLiteral(instr)
    case 'get':
      return [0x20, variable(scope, instr.name)]
    case 'set':
      return [one(instr.value), 0x21, variable(scope, instr.name)]
    case 'tee':
      return [one(instr.value), 0x22, variable(scope, instr.name)]
    case 'block':
      return [0x02, blockType(instr.result), encodeInstrs(inside(scope, instr.label), instr.body), end]
    case 'loop':
      return [0x03, blockType(null), encodeInstrs(inside(scope, instr.label), instr.body), end]
    case 'if': {
      const branch = (body: readonly Instr[]): Bytes => encodeInstrs(inside(scope, ''), body)
      const otherwise = instr.else.length === 0 ? [] : [0x05, branch(instr.else)]
      return [one(instr.condition), 0x04, blockType(instr.result), branch(instr.then), otherwise, end]
    }
    case 'br':
      return [0x0c, depth(scope, instr.label)]
    case 'br_if':
      return [one(instr.condition), 0x0d, depth(scope, instr.label)]
    case 'call':
      return [all(instr.args), 0x10, unsigned(known(scope.functions.get(instr.fn), 'function', instr.fn))]
    case 'select':
      return [one(instr.then), one(instr.else), one(instr.condition), 0x1b]
    case 'drop':
      return [one(instr.value), 0x1a]
  }
}

export const encodeInstrs = (scope: Scope, instrs: readonly Instr[]): Bytes => instrs.map((instr) => encodeInstr(scope, instr))

const encodeLiteral = (literal: Literal): Bytes => {
  switch (literal.type) {
    case 'i32':
      return [0x41, signed(BigInt(literal.bits | 0))]
    case 'i64':
      return [0x42, signed(BigInt.asIntN(64, literal.bits))]
    case 'f32':
      return [0x43, littleEndian(BigInt(literal.bits), 4)]
    case 'f64':
      return [0x44, littleEndian(literal.bits, 8)]
    case 'v128':
      return [opcode(0xfd_000c), littleEndian(literal.bits, 16)]
  }
}

/** One byte, or a prefix byte and a number: see the table. */
const opcode = (code: number): Bytes => (code < 0x100 ? code : [code >>> 16, unsigned(code & 0xffff)])

const blockType = (result: ValType | null): number => (result === null ? 0x40 : valTypes[result])

const inside = (scope: Scope, label: string): Scope => ({ ...scope, labels: [...scope.labels, label] })

/** A branch counts the labels outwards; of two with one name it means the inner. */
const depth = ({ labels }: Scope, label: string): Bytes => {
  const at = labels.lastIndexOf(label)
  return unsigned(labels.length - 1 - known(at < 0 ? undefined : at, 'label', label))
}

const variable = (scope: Scope, name: string): Bytes => unsigned(known(scope.variables.get(name), 'variable', name))

const known = (index: number | undefined, kind: string, name: string): number => {
  if (index === undefined) throw new Error(`no ${kind} '${name}' in this WebAssembly function`)
  return index
}
