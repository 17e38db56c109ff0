import { children } from '../encode/children.js'
import type { Instr, WasmFunction } from '../encode/module.js'

/** The variables that something other than their own next value depends on. */
const namesRead = (instrs: readonly Instr[], names: Set<string>): ReadonlySet<string> => {
  for (const instr of instrs) {
    if (instr.tag === 'get') names.add(instr.name)
    if (instr.tag !== 'set') namesRead(children(instr), names)
    else for (const name of namesRead([instr.value], new Set())) if (name !== instr.name) names.add(name)
  }
  return names
}

const without = (body: readonly Instr[], read: ReadonlySet<string>): readonly Instr[] =>
  body.flatMap((instr): readonly Instr[] => {
    if (instr.tag === 'set' && !read.has(instr.name)) return []
    if (instr.tag === 'loop' || instr.tag === 'block') return [{ ...instr, body: without(instr.body, read) }]
    if (instr.tag === 'if') return [{ ...instr, then: without(instr.then, read), else: without(instr.else, read) }]
    return [instr]
  })

/** A function without the variables that it sets and never reads. What a kernel computes for them has no effect. */
export const withoutDead = (fn: WasmFunction): WasmFunction => {
  const read = namesRead(fn.body, new Set())
  const locals = fn.locals.filter(({ name }) => read.has(name))
  return locals.length === fn.locals.length ? fn : withoutDead({ ...fn, locals, body: without(fn.body, read) })
}
