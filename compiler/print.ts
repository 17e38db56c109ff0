import type { Expr, Kernel, LoopOp, Statement } from './loop-ir.js'
import type { Command, Parameter, Plan } from './plan.js'
import { lifetimes } from './memory.js'

const infix: { readonly [O in LoopOp]?: string } = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  less: '<',
  lessEqual: '<=',
  equal: '==',
  bitAnd: '&',
  bitOr: '|',
  bitXor: '^',
  shiftLeft: '<<',
  shiftRight: '>>',
  and: '&',
  or: '|',
  quotient: 'div',
  remainder: 'mod',
}

export const printExpr = (e: Expr): string => {
  switch (e.tag) {
    case 'literal':
      return e.dtype === 'f32' && Number.isInteger(e.value) ? `${String(e.value)}.0` : String(e.value)
    case 'parameter':
      return `p${String(e.slot)}`
    case 'index':
    case 'variable':
      return e.name
    case 'read':
      return `b${String(e.buffer)}[${printExpr(e.at)}]`
    case 'op': {
      const operands = e.operands.map(printExpr)
      const sign = infix[e.op]
      return sign === undefined ? `${e.op}(${operands.join(', ')})` : `(${operands.join(` ${sign} `)})`
    }
  }
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)

const printStatement = (s: Statement): readonly string[] => {
  switch (s.tag) {
    case 'let':
    case 'var':
      return [`${s.tag} ${s.name}: ${s.value.dtype} = ${printExpr(s.value)}`]
    case 'assign':
      return [`${s.name} = ${printExpr(s.value)}`]
    case 'for':
      return [`for ${s.loop.index} < ${printExpr(s.loop.extent)}`, ...indented(s.body.flatMap(printStatement))]
    case 'if':
      return [`if ${printExpr(s.condition)}`, ...indented(s.body.flatMap(printStatement))]
    case 'store':
      return [`b${String(s.buffer)}[${printExpr(s.at)}] = ${printExpr(s.value)}`]
  }
}

/** A kernel as text: its buffers and parameters, its parallel loops, its body. */
export const printKernel = ({ name, buffers, parameters, space, body }: Kernel): string =>
  [
    `kernel ${name}(${[...buffers.map(({ dtype, access }, i) => `b${String(i)}: ${access} ${dtype}[]`), ...parameters.map((type, i) => `p${String(i)}: ${type}`)].join(', ')})`,
    ...indented([...space.map(({ index, extent }) => `parallel ${index} < ${printExpr(extent)}`), ...body.flatMap(printStatement)]),
  ].join('\n')

const printParameter = (p: Parameter): string => (p.tag === 'size' ? p.size.text : String(p.value))

const printCommand = (plan: Plan, command: Command): string =>
  command.tag === 'copy'
    ? `copy m${String(command.from)} to m${String(command.to)}`
    : [
        `${plan.kernels[command.kernel]?.name ?? '?'}(${[...command.buffers.map((b) => `m${String(b)}`), ...command.parameters.map(printParameter)].join(', ')})`,
        ...(command.beside ? ['beside it'] : []),
        `over [${command.extents.map(({ text }) => text).join(', ')}]`,
        `makes ${command.makes.map(({ what, because }) => `${what} (${because})`).join(', ')}`,
      ].join(' ')

/** The commands in their order: which kernel over which buffers, what each makes and why it is made at all. */
export const printCommands = (plan: Plan): string =>
  plan.commands.map((command, i) => `${String(i)}: ${printCommand(plan, command)}`).join('\n')

/** The memory plan: every buffer, its size, and the commands between which it is alive. */
export const printMemory = (plan: Plan): string => {
  const spans = lifetimes(plan)
  return plan.buffers
    .map(({ dtype, elements, role }, i) => {
      const { from, to } = spans[i] ?? { from: 0, to: 0 }
      return `m${String(i)}: ${dtype}[${elements.text}] ${role.tag === 'given' ? role.path : 'made'}, alive ${String(from)} to ${String(to)}`
    })
    .join('\n')
}
