import { productIn } from './cuts.js'
import { type Expr, type Kernel, type Loop, partsOf, type Statement } from './loop-ir.js'

/** A contraction as it must be to be shared: what comes before its sum, the loops of the sum, and what is done with it. */
export interface Contraction {
  readonly before: readonly Statement[]
  /** Outermost first. */
  readonly loops: readonly Loop[]
  readonly sum: string
  readonly factors: readonly [Expr, Expr]
  readonly after: readonly Statement[]
}

const loopsOf = (s: Statement): readonly Loop[] => (s.tag === 'for' ? [s.loop, ...s.body.flatMap(loopsOf)] : [])

const isPlain = ({ tag }: Statement): boolean => tag !== 'for' && tag !== 'if'

const hasVariable = (e: Expr): boolean => e.tag === 'variable' || partsOf(e).some(hasVariable)

/** Undefined where it is none. Factors that variables change, and what is read where it is written, are not shared. */
export const contractionIn = ({ buffers }: Kernel, body: readonly Statement[]): Contraction | undefined => {
  const at = body.findIndex(({ tag }) => tag === 'for')
  const [sum, loop] = [productIn(body), body[at]]
  const [before, after] = [body.slice(0, at), body.slice(at + 1)]
  if (sum === undefined || loop === undefined || sum.factors.some(hasVariable)) return undefined
  if (![...before, ...after].every(isPlain) || buffers.some(({ access }) => access === 'readWrite')) return undefined
  return { before, loops: loopsOf(loop), sum: sum.name, factors: sum.factors, after }
}

/** Whether neighbours along a loop lie side by side in memory: its index stands in a place as it is. */
export const liesAlong = (e: Expr, index: string): boolean => {
  const isTerm = (x: Expr): boolean => (x.tag === 'op' && x.op === 'add' ? x.operands.some(isTerm) : x.tag === 'index' && x.name === index)
  return e.tag === 'read' ? isTerm(e.at) : e.tag === 'op' && e.operands.some((x) => liesAlong(x, index))
}
