import { cutsOf } from './cuts.js'
import { inFull } from './full.js'
import type { Kernel, Statement } from './loop-ir.js'
import type { Command, Plan } from './plan.js'
import type { Reason } from './group.js'

type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

/** What is stored for these reasons is a number of its own, and not one that a sum of unknown length has become. */
const storedInHalves: { readonly [R in Reason]?: true } = {
  'operand of a contraction': true,
  'argument of a checkpoint': true,
  'too dear to repeat': true,
  'too many buffers': true,
  'too large': true,
}

/** Whether a kernel sums products over known axes alone: the activations of a layer, and not the gradient of its weights. */
const isActivation = (kernel: Kernel): boolean => {
  const body = inFull(kernel)
  const isKnown = (list: readonly Statement[]): boolean =>
    list.every((s) => s.tag !== 'for' || (s.loop.extent.tag === 'literal' && isKnown(s.body)))
  return cutsOf(kernel.space, body, { outer: 1, inner: 1 }).length > 0 && isKnown(body)
}

/** The buffers of a plan that hold what lies between its kernels and may be rounded. */
const halvesOf = ({ kernels, buffers, commands, outputs }: Plan): ReadonlySet<number> => {
  const kept = new Set(outputs.map(({ buffer }) => buffer))
  for (const command of commands) if (command.tag === 'copy') for (const buffer of [command.from, command.to]) kept.add(buffer)
  const made = commands.flatMap((command) =>
    command.tag === 'copy'
      ? []
      : command.makes.flatMap(({ because }, slot) =>
          storedInHalves[because] === true || (because === 'reduction' && isActivation(kernels[command.kernel]!))
            ? [command.buffers[slot]!]
            : [],
        ),
  )
  return new Set(made.filter((buffer) => buffers[buffer]?.dtype === 'f32' && buffers[buffer].role.tag === 'made' && !kept.has(buffer)))
}

/**
 * A plan whose large intermediates are stored in f16: what layers make and what is kept to be multiplied. Inputs, state, outputs and all that is folded
 * over axes of open size stay as they are, and everything is computed in f32 as before.
 */
export const inHalves = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => {
  const halves = halvesOf(plan)
  const kernels: Kernel[] = []
  const known = new Map<string, number>()
  const kernelOf = ({ kernel, buffers }: Dispatch): number => {
    const slots = buffers.flatMap((buffer, slot) => (halves.has(buffer) ? [slot] : []))
    const key = `${String(kernel)}: ${slots.join()}`
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier
    const whole = plan.kernels[kernel]!
    known.set(key, kernels.length)
    return kernels.push({ ...whole, buffers: whole.buffers.map((b, slot) => (slots.includes(slot) ? { ...b, inHalves: true } : b)) }) - 1
  }
  return {
    ...plan,
    buffers: plan.buffers.map((buffer, i) => (halves.has(i) ? { ...buffer, inHalves: true } : buffer)),
    commands: plan.commands.map((command) => (command.tag === 'copy' ? command : { ...command, kernel: kernelOf(command) })),
    kernels,
  }
}

/** Statements whose sums of products multiply in f16 and add in f32. */
const multiplying = (statements: readonly Statement[]): readonly Statement[] =>
  statements.map((s): Statement => {
    if (s.tag === 'for' || s.tag === 'if') return { ...s, body: multiplying(s.body) }
    if (s.tag !== 'assign' || s.value.tag !== 'op' || s.value.op !== 'add' || s.value.dtype !== 'f32') return s
    const [sum, product] = s.value.operands
    return sum?.tag === 'variable' && sum.name === s.name && product?.tag === 'op' && product.op === 'mul'
      ? { ...s, value: { ...s.value, operands: [sum, { ...product, op: 'mulHalves' }] } }
      : s
  })

/** A plan whose sums of products multiply in f16; they are added in f32. */
export const multiplyingHalves = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => ({
  ...plan,
  kernels: plan.kernels.map((kernel) => ({ ...kernel, body: multiplying(kernel.body) })),
})
