import type { Expr, LoopOp } from '../../../compiler/index.js'
import type { DType } from '../../../dsl/index.js'
import { spell } from './scalar.js'
import type { Read } from './vectors.js'

/** How deep an expression may nest before a part of it gets a name: WGSL's parser goes no deeper than 128. */
const deepest = 24

/** What writing an expression asks of the statement that it stands in. */
export interface Around {
  /** Names a value in a statement before the one being written, and gives the name. */
  readonly hoist: (value: string) => string
  /** The part of a vector that a read is; undefined where it is a number of its own. */
  readonly partOf: (read: Read) => string | undefined
  readonly isVectors: (buffer: number) => boolean
  readonly isHalves: (buffer: number) => boolean
}

/** Float operations whose result a driver may merge with the operation that reads it. A negation is exact wherever it moves. */
const mergeable: ReadonlySet<LoopOp> = new Set<LoopOp>(['add', 'sub', 'mul', 'div', 'recip'])

const isOp = (e: Expr, op: LoopOp): boolean => e.tag === 'op' && e.op === op

const isMergeable = (e: Expr): boolean => e.tag === 'op' && e.dtype === 'f32' && mergeable.has(e.op)

/** A product may be fused with the sum that reads it, unless the sum's other operand is a product too: drivers factor x·y + x·z. */
const mayFuse = (e: Expr, i: number): boolean =>
  e.tag === 'op' &&
  (e.op === 'select' || ((e.op === 'add' || e.op === 'sub') && isOp(e.operands[i]!, 'mul') && !isOp(e.operands[1 - i]!, 'mul')))

const named: ReadonlyMap<number, string> = new Map([
  [0, 'zero'],
  [1, 'one'],
  [-1, 'minus_one'],
])

const bitsOf = (x: number): string => `0x${new Uint32Array(Float32Array.of(x).buffer)[0]!.toString(16).padStart(8, '0')}u`

/** Floats are taken from where a driver does not see their value: see `float` of the prelude. */
const literals: { readonly [D in DType]: (value: number) => string } = {
  f32: (value) => (Object.is(value, -0) ? undefined : named.get(value)) ?? `float(${bitsOf(value)})`,
  i32: (value) => (value < 0 ? `(${String(value)})` : String(value)), // `--` is a word of WGSL
  u32: (value) => `${String(value)}u`,
  bool: (value) => (value === 0 ? 'false' : 'true'),
}

/** The lets that a text needs before it: the floats that have names. */
export const literalsFor = (text: string): readonly string[] =>
  [...named].flatMap(([value, name]) => (new RegExp(`\\b${name}\\b`).test(text) ? [`let ${name} = float(${bitsOf(value)});`] : []))

/** What the index of a loop is called: of i0, i1, … one has the name of a type. */
export const indexName = (index: string): string => (index === 'i32' ? 'i_32' : index)

interface Spelled {
  readonly text: string
  readonly depth: number
}

const strict = (e: Expr, text: string): string => (isMergeable(e) ? `strict(${text})` : text)

const operand = (parent: Expr, e: Expr, i: number, around: Around): Spelled => {
  const { text, depth } = spelled(e, around)
  const honest = mayFuse(parent, i) ? text : strict(e, text)
  return depth < deepest ? { text: honest, depth } : { text: around.hoist(strict(e, text)), depth: 0 }
}

const wide = (element: string, isHalf: boolean): string => (isHalf ? `f32(${element})` : element)

const elementText = (buffer: number, at: string, { isVectors }: Around): string =>
  isVectors(buffer) ? `b${String(buffer)}[u32(${at}) / 4u][u32(${at}) % 4u]` : `b${String(buffer)}[${at}]`

const spelled = (e: Expr, around: Around): Spelled => {
  switch (e.tag) {
    case 'literal':
      return { text: literals[e.dtype](e.value), depth: 0 }
    case 'parameter':
      return { text: `p${String(e.slot)}`, depth: 0 }
    case 'index':
      return { text: indexName(e.name), depth: 0 }
    case 'variable':
      return { text: e.name, depth: 0 }
    case 'read': {
      const part = around.partOf(e)
      const at = part === undefined ? operand(e, e.at, 0, around) : { text: '', depth: 0 }
      const element = part ?? wide(elementText(e.buffer, at.text, around), around.isHalves(e.buffer))
      return { text: e.dtype === 'bool' ? `(${element} != 0u)` : element, depth: at.depth + 1 }
    }
    case 'op': {
      const operands = e.operands.map((x, i) => operand(e, x, i, around))
      const of = e.operands[e.op === 'select' ? 1 : 0]?.dtype ?? e.dtype
      return {
        text: spell(
          e.op,
          of,
          operands.map(({ text }) => text),
        ),
        depth: Math.max(...operands.map(({ depth }) => depth)) + 1,
      }
    }
  }
}

/** An expression in WGSL, where nothing computes with it further. */
export const emitExpr = (e: Expr, around: Around): string => spelled(e, around).text

/** An expression in WGSL, to be computed with under a name. */
export const emitOperand = (e: Expr, around: Around): string => strict(e, emitExpr(e, around))
