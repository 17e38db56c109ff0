import { copy, renamedExpr, sameNames } from './copies.js'
import { liesAlong } from './contraction.js'
import { dear } from './dear.js'
import { createExprs, type Exprs } from './exprs.js'
import { inFull } from './full.js'
import { type Expr, type Kernel, type Loop, type Statement, writtenBy } from './loop-ir.js'
import type { Plan } from './plan.js'
import { schedule } from './schedule.js'
import { exprsIn, exprsOf, withInner } from './within.js'

type For = Extract<Statement, { readonly tag: 'for' }>
type Store = Extract<Statement, { readonly tag: 'store' }>

const isDear = (e: Expr): boolean => [...exprsIn(e)].some((x) => x.tag === 'op' && Object.hasOwn(dear, x.op))

/** A value that two loops of a row make, the second of which stores what it makes of it. */
interface Twice {
  readonly first: For
  readonly second: For
  readonly store: Store
  /** As the second loop makes it. */
  readonly value: Expr
}

const toLoop = (exprs: Exprs, from: Loop, to: Loop): ((e: Expr) => Expr) =>
  renamedExpr(exprs, { ...sameNames(exprs), index: (name) => exprs.index(name === from.index ? to.index : name) })

/** The one store of a loop, where it goes through a buffer that nothing else touches. */
const loneStore = ({ buffers }: Kernel, body: readonly Statement[], { loop, body: [only, ...others] }: For): Store | undefined => {
  if (only?.tag !== 'store' || others.length > 0 || buffers[only.buffer]?.access !== 'write') return undefined
  const isAlone = body.flatMap(withInner).every((s) => s.tag !== 'store' || s.buffer !== only.buffer || s === only)
  return isAlone &&
    liesAlong({ tag: 'read', dtype: 'i32', buffer: 0, at: only.at }, loop.index) &&
    ![...exprsIn(only.at)].some(({ tag }) => tag === 'read')
    ? only
    : undefined
}

const twiceIn = (exprs: Exprs, kernel: Kernel, body: readonly Statement[]): Twice | undefined => {
  const written = writtenBy(kernel)
  for (const [n, second] of body.entries()) {
    const store = second.tag === 'for' ? loneStore(kernel, body, second) : undefined
    if (second.tag !== 'for' || store === undefined) continue
    for (const [m, first] of body.slice(0, n).entries()) {
      if (first.tag !== 'for' || first.loop.extent !== second.loop.extent || first.body.some(({ tag }) => tag !== 'assign')) continue
      const assigned = new Set(
        body
          .slice(m, n + 1)
          .flatMap(withInner)
          .flatMap((s) => (s.tag === 'assign' || s.tag === 'var' ? [s.name] : [])),
      )
      const isSettled = (e: Expr): boolean =>
        ![...exprsIn(e)].some((x) => (x.tag === 'variable' && assigned.has(x.name)) || (x.tag === 'read' && written.has(x.buffer)))
      const made = exprsOf(first.body)
      const value = [...exprsIn(store.value)].find(
        (e) =>
          e.dtype === kernel.buffers[store.buffer]!.dtype &&
          isDear(e) &&
          isSettled(e) &&
          made.has(toLoop(exprs, second.loop, first.loop)(e)),
      )
      if (value !== undefined) return { first, second, store, value }
    }
  }
  return undefined
}

/** An expression with another in place of a part of it. */
const replaced = (exprs: Exprs, part: Expr, by: Expr): ((e: Expr) => Expr) => {
  const put = (e: Expr): Expr => {
    if (e === part) return by
    if (e.tag === 'read') return exprs.read(e.buffer, e.dtype, put(e.at))
    return e.tag === 'op' ? exprs.op(e.op, e.dtype, ...e.operands.map(put)) : e
  }
  return put
}

const keptOnce = (exprs: Exprs, { first, second, store, value }: Twice, body: readonly Statement[]): readonly Statement[] => {
  const { buffer, at } = store
  const toFirst = toLoop(exprs, second.loop, first.loop)
  const early = exprs.variable('early', value.dtype)
  const late = exprs.variable('late', value.dtype)
  const inFirst = replaced(exprs, toFirst(value), early)
  const making: readonly Statement[] = [
    { tag: 'var', name: early.name, value: toFirst(value) },
    { tag: 'store', buffer, at: toFirst(at), value: early },
    ...first.body.map((s): Statement => (s.tag === 'assign' ? { ...s, value: inFirst(s.value) } : s)),
  ]
  const taking: readonly Statement[] = [
    { tag: 'var', name: late.name, value: replaced(exprs, value, exprs.read(buffer, value.dtype, at))(store.value) },
    { tag: 'store', buffer, at, value: late },
  ]
  return body.map((s) => (s === first ? { ...first, body: making } : s === second ? { ...second, body: taking } : s))
}

const keeping = (kernel: Kernel): Kernel => {
  if (kernel.workgroup !== undefined) return kernel
  const exprs = createExprs()
  const body = copy(exprs, sameNames(exprs))(inFull(kernel))
  const twice = twiceIn(exprs, kernel, body)
  if (twice === undefined) return kernel
  const buffers = kernel.buffers.map((b, i) => (i === twice.store.buffer ? { ...b, access: 'readWrite' as const } : b))
  return { ...kernel, buffers, body: schedule(keptOnce(exprs, twice, body), writtenBy(kernel)) }
}

/**
 * What a row makes for a sum and again for its output, as softmax its exponentials, it makes once and keeps where the output will lie: for
 * devices on which an exponential costs more than to write and read a number. The bits are the same.
 */
export const keep = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => ({ ...plan, kernels: plan.kernels.map(keeping) })
