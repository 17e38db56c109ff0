import { children } from '../encode/children.js'
import type { Instr, WasmFunction } from '../encode/module.js'

/** What the values of variables depend on, and the variables on which something else does. */
interface Reads {
  readonly by: Map<string, Set<string>>
  readonly elsewhere: Set<string>
}

const readsOf = (body: readonly Instr[]): Reads => {
  const reads: Reads = { by: new Map(), elsewhere: new Set() }
  const visit = (instr: Instr, readers: Set<string>): void => {
    if (instr.tag === 'get' || instr.tag === 'tee') readers.add(instr.name) // a tee stays: its value is used
    if (instr.tag === 'set') {
      const own = reads.by.get(instr.name) ?? new Set()
      reads.by.set(instr.name, own)
      visit(instr.value, own)
    } else for (const child of children(instr)) visit(child, readers)
  }
  for (const instr of body) visit(instr, reads.elsewhere)
  return reads
}

/** The variables that something has a use for. */
const usedIn = (body: readonly Instr[]): ReadonlySet<string> => {
  const { by, elsewhere: used } = readsOf(body)
  for (const name of used) for (const read of by.get(name) ?? []) used.add(read) // a set goes on to what is added to it
  return used
}

const without = (body: readonly Instr[], used: ReadonlySet<string>): readonly Instr[] =>
  body.flatMap((instr): readonly Instr[] => {
    if (instr.tag === 'set' && !used.has(instr.name)) return []
    if (instr.tag === 'loop' || instr.tag === 'block') return [{ ...instr, body: without(instr.body, used) }]
    if (instr.tag === 'if') return [{ ...instr, then: without(instr.then, used), else: without(instr.else, used) }]
    return [instr]
  })

/** A function without the variables that it sets and never reads. What a kernel computes for them has no effect. */
export const withoutDead = (fn: WasmFunction): WasmFunction => {
  const used = usedIn(fn.body)
  const locals = fn.locals.filter(({ name }) => used.has(name))
  return locals.length === fn.locals.length ? fn : { ...fn, locals, body: without(fn.body, used) }
}
