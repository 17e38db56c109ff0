import { type Size, sizes } from '../dsl/index.js'
import { type Cost, costOf, costOfPlan } from './cost.js'
import type { Expr, Kernel, LoopOp, Statement } from './loop-ir.js'
import type { Command, Making, Parameter, Plan } from './plan.js'
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
    case 'barrier':
      return ['barrier']
    case 'join':
      return [`join ${s.name} by ${s.op}`]
    case 'store':
      return [`b${String(s.buffer)}[${printExpr(s.at)}] = ${printExpr(s.value)}`]
  }
}

/** A kernel as text: its buffers and parameters, its parallel loops, its body. */
export const printKernel = ({ name, buffers, parameters, space, body, workgroup }: Kernel): string =>
  [
    `kernel ${name}(${[...buffers.map(({ dtype, access, inHalves }, i) => `b${String(i)}: ${access} ${inHalves === true ? 'f16' : dtype}[]`), ...parameters.map((type, i) => `p${String(i)}: ${type}`)].join(', ')})`,
    ...indented([
      ...space.map(
        ({ index, extent }, i) => `${i < space.length - (workgroup?.loops ?? 0) ? 'parallel' : 'together'} ${index} < ${printExpr(extent)}`,
      ),
      ...(workgroup?.shared ?? []).map(({ dtype, elements }, i) => `shared b${String(buffers.length + i)}: ${dtype}[${String(elements)}]`),
      ...body.flatMap(printStatement),
    ]),
  ].join('\n')

const printParameter = (p: Parameter): string => (p.tag === 'size' ? p.size.text : String(p.value))

const bytesText = (elements: Size): string => `${sizes.scale(elements, 4).text} bytes`

const printCost = ({ reads, writes, flops }: Cost): string =>
  `reads ${reads.text} bytes, writes ${writes.text}, computes ${flops.text} flops`

/** What a command leaves in memory, why, and for each boundary what keeps its two sides apart and what it costs to read across. */
const printMaking = ({ what, because, elements, readBy }: Making): readonly string[] => [
  `makes ${what} (${because})`,
  ...readBy.map(({ kernel, apart }) => `  read by ${String(kernel)}: ${bytesText(elements)} (${apart})`),
]

const printCommand = (plan: Plan, command: Command): readonly string[] =>
  command.tag === 'copy'
    ? [`copy m${String(command.from)} to m${String(command.to)}`]
    : [
        [
          `${plan.kernels[command.kernel]?.name ?? '?'}(${[...command.buffers.map((b) => `m${String(b)}`), ...command.parameters.map(printParameter)].join(', ')})`,
          `over [${command.extents.map(({ text }) => text).join(', ')}]`,
          ...(command.beside ? ['beside the one before'] : []),
        ].join(' '),
        ...indented([printCost(costOf(plan, command)), ...command.makes.flatMap(printMaking)]),
      ]

/**
 * What all commands cost; then each in its order: which kernel over which buffers, what it costs, what it makes, why that is in memory at all,
 * and what that costs.
 */
export const printCommands = (plan: Plan): string =>
  [
    `${String(plan.commands.length)} commands: ${printCost(costOfPlan(plan))}`,
    ...plan.commands.flatMap((command, i) => {
      const [first, ...others] = printCommand(plan, command)
      return [`${String(i)}: ${first ?? ''}`, ...others]
    }),
  ].join('\n')

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
