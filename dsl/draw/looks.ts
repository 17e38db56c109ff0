import type { Node, NodeOf, Tag } from '../node.js'
import type { ScalarOp } from '../scalar-ops.js'

/** What a node is for, in a drawing. */
export type Role =
  | 'input'
  | 'source'
  | 'pointwise'
  | 'movement'
  | 'reduction'
  | 'contraction'
  | 'recurrence'
  | 'indexing'
  | 'stop'
  | 'custom'
  | 'checkpoint'
  | 'invalid'

interface Look<T extends Tag> {
  readonly role: Role
  /** What its operands are called, where their order matters. */
  readonly operands?: (node: NodeOf<T>) => readonly string[]
}

const operandsOfScalar: { readonly [O in ScalarOp]?: readonly string[] } = {
  sub: ['x', '− y'],
  div: ['x', '÷ y'],
  pow: ['x', '^ y'],
  mod: ['x', 'mod y'],
  less: ['x', '< y'],
  lessEqual: ['x', '≤ y'],
  shiftLeft: ['x', '<< y'],
  shiftRight: ['x', '>> y'],
  select: ['if', 'then', 'else'],
  threefry0: ['key 0', 'key 1', 'counter 0', 'counter 1'],
  threefry1: ['key 0', 'key 1', 'counter 0', 'counter 1'],
}

const looks: { readonly [T in Tag]: Look<T> } = {
  input: { role: 'input' },
  constant: { role: 'source' },
  iota: { role: 'source' },
  extent: { role: 'source' },
  map: { role: 'pointwise', operands: ({ op }) => operandsOfScalar[op] ?? [] },
  broadcast: { role: 'movement' },
  sum: { role: 'reduction' },
  max: { role: 'reduction' },
  min: { role: 'reduction' },
  argMax: { role: 'reduction' },
  argMin: { role: 'reduction' },
  argSort: { role: 'indexing' },
  contract: { role: 'contraction' },
  linearRecurrence: { role: 'recurrence', operands: () => ['a', 'x'] },
  gather: { role: 'indexing', operands: () => ['x', 'ids'] },
  scatterAdd: { role: 'indexing', operands: () => ['x', 'ids'] },
  scatterSet: { role: 'indexing', operands: () => ['x', 'ids', 'values'] },
  slice: { role: 'movement' },
  pad: { role: 'movement' },
  flip: { role: 'movement' },
  concat: { role: 'movement', operands: ({ parts }) => parts.map((_, i) => String(i + 1)) },
  split: { role: 'movement' },
  merge: { role: 'movement' },
  rename: { role: 'movement' },
  stopGradient: { role: 'stop' },
  custom: { role: 'custom', operands: ({ given }) => ['made', ...given.map(() => 'of')] },
  checkpoint: { role: 'checkpoint', operands: ({ given }) => ['made', ...given.map(() => 'of')] },
  barrier: { role: 'checkpoint', operands: ({ after }) => [...after.map(() => 'after'), 'x'] },
  invalid: { role: 'invalid' },
}

const lookOf = (node: Node): Look<Tag> => looks[node.tag] as Look<Tag>

export const roleOf = (node: Node): Role => lookOf(node).role

/** What each operand is called; nothing where their order does not matter. */
export const operandNames = (node: Node): readonly string[] => lookOf(node).operands?.(node) ?? []
