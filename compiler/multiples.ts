import type { Parameter, Plan } from './plan.js'

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))

/** What divides a parameter at all sizes: 64 divides 64·batch·time. */
const divisorOf = (parameter: Parameter | undefined): number =>
  parameter?.tag === 'size' && parameter.size.terms.every(({ coefficient }) => Number.isInteger(coefficient))
    ? parameter.size.terms.reduce((all, { coefficient }) => gcd(all, coefficient), 0)
    : 1

/** For each parameter of one of a plan's kernels, what divides it in every command that runs the kernel. */
export const multiplesIn = ({ kernels, commands }: Plan, kernel: number): readonly number[] => {
  const runs = commands.flatMap((command) => (command.tag === 'dispatch' && command.kernel === kernel ? [command.parameters] : []))
  return (kernels[kernel]?.parameters ?? []).map(
    (_, slot) => runs.reduce((all, parameters) => gcd(all, divisorOf(parameters[slot])), 0) || 1,
  )
}
