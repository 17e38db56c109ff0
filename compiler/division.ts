import type { DType } from '../dsl/index.js'
import { copy, type Names, renamedExpr, sameNames } from './copies.js'
import { createExprs, type Exprs } from './exprs.js'
import type { Folding } from './folding.js'
import type { Expr, Kernel, Statement } from './loop-ir.js'
import { schedule } from './schedule.js'
import { exprsOf, withInner } from './within.js'

/** One of the two kernels that a kernel becomes, and which buffers of the whole it touches; those of the parts come after these. */
export interface Half {
  readonly kernel: Kernel
  readonly touches: readonly number[]
}

export interface Division {
  /** How many parts there are. */
  readonly count: number
  /** Folds each part. Its last parameter is how many turns of the loop that is cut each part has, the last of them fewer or none. */
  readonly parts: Half
  /** Folds the parts, and does what is done with the whole. */
  readonly joined: Half
  /** What is folded, each with a buffer that has a number for each part and row. */
  readonly dtypes: readonly DType[]
  /** How many turns the loop has. */
  readonly extent: Expr
}

/** What both halves are built with. */
interface Dividing extends Folding {
  readonly exprs: Exprs
  readonly dtypes: readonly DType[]
  /** The loop over the parts. */
  readonly part: string
  /** Where the number of this part and row lies. */
  readonly place: Expr
}

type Made = Pick<Kernel, 'name' | 'space' | 'parameters' | 'body'>

/** A half that does what some statements of the whole do, and reads or writes the parts. */
const half = (
  { kernel, dtypes, exprs }: Dividing,
  statements: readonly Statement[],
  access: 'read' | 'write',
  make: (names: Names, firstPart: number) => Made,
): Half => {
  const read = [...exprsOf(statements)].flatMap((e) => (e.tag === 'read' ? [e.buffer] : []))
  const touched = new Set([...read, ...statements.flatMap((s) => (s.tag === 'store' ? [s.buffer] : []))])
  const touches = kernel.buffers.flatMap((_, number) => (touched.has(number) ? [number] : []))
  const buffers = [...touches.map((number) => kernel.buffers[number]!), ...dtypes.map((dtype) => ({ dtype, access }))]
  const made = make({ ...sameNames(exprs), buffer: (number) => touches.indexOf(number) }, touches.length)
  const written = new Set(buffers.flatMap((buffer, i) => (buffer.access === 'read' ? [] : [i])))
  return { touches, kernel: { ...made, buffers, body: schedule(made.body, written) } }
}

const partsOf = (d: Dividing): Half => {
  const { kernel, exprs, parts, starts, loop, part, place, dtypes } = d
  const { op, plus, minus, times, literal, index, parameter, variable } = exprs
  const { index: turn, extent } = loop.loop
  const side = parameter(kernel.parameters.length, 'i32')
  const from = times(index(part), side)
  return half(d, [...starts, loop], 'write', (names, firstPart) => {
    const moved = { ...names, index: (name: string) => (name === turn ? plus(from, index(name)) : index(name)) }
    const left = op('max', 'i32', literal(0), minus(renamedExpr(exprs, names)(extent), from))
    return {
      name: `${kernel.name}_parts`,
      parameters: [...kernel.parameters, 'i32'],
      space: [{ index: part, extent: literal(parts) }, ...kernel.space],
      body: [
        ...copy(exprs, names)(starts),
        { tag: 'for', loop: { index: turn, extent: op('min', 'i32', side, left) }, body: copy(exprs, moved)(loop.body) },
        ...starts.map(({ name }, i): Statement => ({ tag: 'store', buffer: firstPart + i, at: place, value: variable(name, dtypes[i]!) })),
      ],
    }
  })
}

const joinedOf = (d: Dividing): Half => {
  const { kernel, exprs, parts, starts, ops, rest, part, place, dtypes } = d
  const { op, literal, variable, read } = exprs
  return half(d, [...starts, ...rest], 'read', (names, firstPart) => ({
    ...kernel,
    body: [
      ...copy(exprs, names)(starts),
      {
        tag: 'for',
        loop: { index: part, extent: literal(parts) },
        body: starts.map(({ name }, i): Statement => {
          const dtype = dtypes[i]!
          return { tag: 'assign', name, value: op(ops[i]!, dtype, variable(name, dtype), read(firstPart + i, dtype, place)) }
        }),
      },
      ...copy(exprs, names)(rest),
    ],
  }))
}

/** A kernel as two: one that folds each part, and one that folds the parts. */
export const divide = (folding: Folding): Division => {
  const { kernel, starts, loop } = folding
  const exprs = createExprs()
  const loops = [...kernel.space, ...withInner(loop).flatMap((s) => (s.tag === 'for' ? [s.loop] : []))]
  const part = `i${String(Math.max(...loops.map(({ index }) => Number(index.slice(1)))) + 1)}`
  const [row] = kernel.space
  const at = exprs.index(part)
  const place = row === undefined ? at : exprs.plus(exprs.times(at, renamedExpr(exprs, sameNames(exprs))(row.extent)), exprs.index(row.index)) // prettier-ignore
  const dtypes = starts.map(({ value }) => value.dtype)
  const d: Dividing = { ...folding, exprs, dtypes, part, place }
  return { count: folding.parts, parts: partsOf(d), joined: joinedOf(d), dtypes, extent: loop.loop.extent }
}
