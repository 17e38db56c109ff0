import { type Expr, partsOf, type Statement } from '../../../../compiler/index.js'
import type { Numbers } from './numbers.js'
import { literal, minus, plus, times, whole } from './strides.js'

/**
 * Accesses of a loop whose place grows by the same stride at each turn: start + index·stride, neither of which the loop changes.
 * They are the same but for a constant.
 */
export interface Pointer {
  readonly buffer: number
  readonly start: Expr
  readonly stride: Expr
  /** How far behind the start each of them is, in elements, by its key. */
  readonly offsets: ReadonlyMap<string, number>
}

/** Two accesses with this in common are one. */
export const accessKey = (numbers: Numbers, buffer: number, at: Expr): string => `${String(buffer)} ${String(numbers(at))}`

interface Affine {
  readonly start: Expr
  readonly stride: Expr
}

const fixed = (e: Expr): Affine => ({ start: e, stride: literal(0) })

const isFixed = ({ stride }: Affine): boolean => whole(stride) === 0

/** What the body of a loop names or changes, by name; undefined for what has more than one value there. */
type Inside = ReadonlyMap<string, Expr | undefined>

const affine = (e: Expr, index: string, inside: Inside): Affine | undefined => {
  const of = (x: Expr): Affine | undefined => affine(x, index, inside)
  switch (e.tag) {
    case 'literal':
    case 'parameter':
      return fixed(e)
    case 'index':
      return e.name === index ? { start: literal(0), stride: literal(1) } : inside.has(e.name) ? undefined : fixed(e)
    case 'variable': {
      const value = inside.get(e.name)
      return value === undefined ? (inside.has(e.name) ? undefined : fixed(e)) : of(value)
    }
    case 'read':
      return undefined
    case 'op': {
      const parts = e.operands.map(of)
      const [x, y] = parts
      if (parts.every((part) => part !== undefined && isFixed(part)))
        return fixed({ ...e, operands: parts.flatMap((part) => (part === undefined ? [] : [part.start])) })
      if (e.dtype !== 'i32' || x === undefined || y === undefined) return undefined
      if (e.op === 'add') return { start: plus(x.start, y.start), stride: plus(x.stride, y.stride) }
      if (e.op === 'sub') return { start: minus(x.start, y.start), stride: minus(x.stride, y.stride) }
      if (e.op !== 'mul' || !(isFixed(x) || isFixed(y))) return undefined
      const [factor, other] = isFixed(x) ? [x.start, y] : [y.start, x]
      return { start: times(other.start, factor), stride: times(other.stride, factor) }
    }
  }
}

const namedInside = (body: readonly Statement[], names: Map<string, Expr | undefined>): Inside => {
  for (const s of body)
    if (s.tag === 'let') names.set(s.name, s.value)
    else if (s.tag === 'var' || s.tag === 'assign') names.set(s.name, undefined)
    else if (s.tag === 'if') namedInside(s.body, names)
    else if (s.tag === 'for') {
      names.set(s.loop.index, undefined)
      for (const name of namedInside(s.body, new Map()).keys()) names.set(name, undefined)
    }
  return names
}

interface Access {
  readonly buffer: number
  readonly at: Expr
}

/** The accesses of a loop's own statements, those of loops inside it left out. */
const accesses = (body: readonly Statement[], numbers: Numbers, found: Map<string, Access>): typeof found => {
  const add = (buffer: number, at: Expr): unknown => found.set(accessKey(numbers, buffer, at), { buffer, at })
  const visit = (e: Expr): void => {
    if (e.tag === 'read') add(e.buffer, e.at)
    partsOf(e).forEach(visit)
  }
  for (const s of body)
    if (s.tag === 'store') {
      add(s.buffer, s.at)
      visit(s.at)
      visit(s.value)
    } else if (s.tag === 'if') {
      visit(s.condition)
      accesses(s.body, numbers, found)
    } else if (s.tag !== 'for' && s.tag !== 'barrier' && s.tag !== 'join') visit(s.value)
  return found
}

/** e = rest + constant */
export interface Split {
  readonly rest: Expr
  readonly constant: number
}

/** What is known of the names that a function has given so far. */
export interface Known {
  /** What each stands for, where a `let` gave it. */
  readonly lets: ReadonlyMap<string, Expr>
  readonly splits: Map<string, Split>
  readonly numbers: Numbers
}

const splitVariable = (e: Extract<Expr, { readonly tag: 'variable' }>, known: Known): Split => {
  const value = known.lets.get(e.name)
  const made = known.splits.get(e.name) ?? (value === undefined ? { rest: e, constant: 0 } : split(value, known))
  if (value !== undefined) known.splits.set(e.name, made)
  return made
}

const split = (e: Expr, known: Known): Split => {
  if (e.tag === 'literal') return { rest: literal(0), constant: e.value }
  if (e.tag === 'variable') return splitVariable(e, known)
  const [x, y] = e.tag === 'op' && e.dtype === 'i32' ? e.operands.map((operand) => split(operand, known)) : []
  if (e.tag !== 'op' || x === undefined || y === undefined) return { rest: e, constant: 0 }
  if (e.op === 'add') return { rest: plus(x.rest, y.rest), constant: x.constant + y.constant }
  if (e.op === 'sub') return { rest: minus(x.rest, y.rest), constant: x.constant - y.constant }
  const factor = e.op === 'mul' ? whole(e.operands[1] ?? e) : undefined
  return factor === undefined ? { rest: e, constant: 0 } : { rest: times(x.rest, literal(factor)), constant: x.constant * factor }
}

interface Found extends Affine {
  readonly key: string
  readonly buffer: number
  readonly constant: number
}

/** One pointer for a group, at the first of it in memory. */
const pointerOf = (group: readonly Found[]): readonly Pointer[] => {
  const [first] = group.toSorted((x, y) => x.constant - y.constant)
  if (first === undefined) return []
  const { buffer, start, stride } = first
  return [{ buffer, start, stride, offsets: new Map(group.map(({ key, constant }) => [key, constant - first.constant])) }]
}

/** The accesses of a loop that pointers can make, bumped at each turn in place of a product and a sum. */
export const pointersOf = (index: string, body: readonly Statement[], known: Known): readonly Pointer[] => {
  const { numbers } = known
  const inside = namedInside(body, new Map())
  const groups = new Map<string, Found[]>()
  for (const [key, { buffer, at }] of accesses(body, numbers, new Map())) {
    const place = affine(at, index, inside)
    if (place === undefined) continue
    const { rest, constant } = split(place.start, known)
    const alike = `${accessKey(numbers, buffer, rest)} by ${String(numbers(place.stride))}`
    groups.set(alike, [...(groups.get(alike) ?? []), { key, buffer, constant, ...place }])
  }
  return [...groups.values()].flatMap(pointerOf)
}
