import type { Instr } from './module.js'

/** The instructions directly inside one, in the order of execution. */
export const children = (instr: Instr): readonly Instr[] => {
  switch (instr.tag) {
    case 'numeric':
    case 'lane':
    case 'memory':
    case 'call':
      return instr.args
    case 'set':
    case 'tee':
    case 'drop':
      return [instr.value]
    case 'block':
    case 'loop':
      return instr.body
    case 'if':
      return [instr.condition, ...instr.then, ...instr.else]
    case 'br_if':
      return [instr.condition]
    case 'select':
      return [instr.then, instr.else, instr.condition]
    case 'const':
    case 'get':
    case 'br':
      return []
  }
}

/** The names of the functions called from these instructions, at any depth; the same name may come twice. */
export const callees = (instrs: readonly Instr[]): readonly string[] =>
  instrs.flatMap((instr) => [...(instr.tag === 'call' ? [instr.fn] : []), ...callees(children(instr))])
