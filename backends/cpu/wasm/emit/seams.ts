import { copy, createExprs, type Expr, exprsOf, type Loop, type Statement } from '../../../../compiler/index.js'
import { width } from './choose.js'
import { narrowed } from './narrowed.js'

/** Loops of a space, and what is done at each of its points. */
export interface Spaced {
  readonly space: readonly Loop[]
  readonly body: readonly Statement[]
}

/** slope·i + start, i the index of a loop. */
interface Line {
  readonly slope: number
  readonly start: number
}

const lineAlong = (index: string, e: Expr): Line | undefined => {
  if (e.tag === 'literal' && e.dtype === 'i32') return { slope: 0, start: e.value }
  if (e.tag === 'index') return e.name === index ? { slope: 1, start: 0 } : undefined
  if (e.tag !== 'op' || (e.op !== 'add' && e.op !== 'sub') || e.dtype !== 'i32') return undefined
  const [x, y] = e.operands.map((operand) => lineAlong(index, operand))
  const sign = e.op === 'add' ? 1 : -1
  return x && y && { slope: x.slope + sign * y.slope, start: x.start + sign * y.start }
}

/** The place along a loop from which a comparison comes out another way than before it. */
const seamOf = (index: string, e: Expr): number | undefined => {
  if (e.tag !== 'op' || (e.op !== 'less' && e.op !== 'lessEqual')) return undefined
  const [x, y] = e.operands.map((operand) => lineAlong(index, operand))
  if (x === undefined || y === undefined) return undefined
  const [slope, most] = [x.slope - y.slope, y.start - x.start]
  const [strictly, orEqual] = e.op === 'less' ? [0, 1] : [1, 0]
  return slope === 1 ? most + strictly : slope === -1 ? orEqual - most : undefined
}

/** More pieces than this are too much text. */
const mostPieces = 8

/** Where the pieces of a loop begin, and after them its end; undefined where there is one piece, or too many, or none to run in lanes. */
const seamsAlong = ({ index, extent }: Loop, body: readonly Statement[]): readonly number[] | undefined => {
  if (extent.tag !== 'literal') return undefined
  const end = extent.value
  const inside = [...exprsOf(body)].flatMap((e) => seamOf(index, e) ?? []).filter((seam) => seam > 0 && seam < end)
  const all = [...new Set([0, ...inside, end])].toSorted((a, b) => a - b)
  const isAnyLong = all.some((from, i) => (all[i + 1] ?? from) - from >= width)
  return all.length > 2 && all.length - 1 <= mostPieces && isAnyLong ? all : undefined
}

/**
 * A kernel that stores element by element, what is joined or padded among it: the loop along that axis becomes one loop for each piece, in
 * which there is nothing to choose, so that its reads lie side by side. The loop that is left out of the space is innermost.
 */
export const atSeams = ({ space, body }: Spaced, firstLoop: number): Spaced => {
  const [found] = space.flatMap((loop) => {
    const seams = seamsAlong(loop, body)
    return seams === undefined ? [] : [{ loop, seams }]
  })
  if (found === undefined || space.length === 1 || body.some(({ tag }) => tag !== 'store')) return { space, body }
  const { loop, seams } = found
  const exprs = createExprs()
  const pieces = seams.slice(0, -1).map((from, i): Statement => {
    const [index, size] = [`i${String(firstLoop + i)}`, (seams[i + 1] ?? from) - from]
    const names = narrowed(exprs, {
      index: (name) => (name === loop.index ? exprs.plus(exprs.index(index), exprs.literal(from)) : exprs.index(name)),
      rangeOf: (name) => (name === index ? { least: 0, most: size - 1 } : undefined),
    })
    return {
      tag: 'for',
      loop: { index, extent: exprs.literal(size) },
      body: copy(exprs, names)(body),
    }
  })
  return { space: space.filter((other) => other !== loop), body: pieces }
}
