import type { Kernel, Loop } from '../../../compiler/index.js'
import { type Around, emitExpr, indexName } from './expr.js'

/** Invocations of a workgroup that share nothing: what every device has, and a multiple of every subgroup. */
const usualSize = 64

/** The loops of a kernel's space that go through the points of a workgroup. */
const togetherOf = ({ space, workgroup }: Kernel): readonly Loop[] =>
  workgroup === undefined ? [] : space.slice(space.length - workgroup.loops)

/** How many points of its space a workgroup runs. */
export const workgroupSizeOf = (kernel: Kernel): number =>
  kernel.workgroup === undefined
    ? usualSize
    : togetherOf(kernel).reduce((all, { extent }) => all * (extent.tag === 'literal' ? extent.value : 1), 1)

const plain: Around = { hoist: (value) => value, partOf: () => undefined, isVectors: () => false, isHalves: () => false }

const extentText = ({ extent }: Loop): string => {
  const text = emitExpr(extent, plain)
  return extent.tag === 'literal' ? `${text}u` : `u32(${text})`
}

/** What to divide by: a division by a literal 0 is an error even in a kernel that never runs. */
const divisorText = (loop: Loop): string => (loop.extent.tag === 'literal' && loop.extent.value === 0 ? '1u' : extentText(loop))

/** The index of each loop at the place of a number, the innermost loop fastest, so that neighbours read neighbours. */
const indicesAt = (number: string, loops: readonly Loop[], name: string): readonly string[] => {
  const lines: string[] = []
  let rest = number
  for (const [i, loop] of [...loops.entries()].toReversed()) {
    const outer = `${name}${String(i)}`
    lines.push(`let ${indexName(loop.index)} = i32(${i === 0 ? rest : `${rest} % ${divisorText(loop)}`});`)
    if (i > 0) lines.push(`let ${outer} = ${rest} / ${divisorText(loop)};`)
    rest = outer
  }
  return lines
}

const countText = (loops: readonly Loop[]): string => (loops.length === 0 ? '1u' : loops.map(extentText).join(' * '))

/** The place of an invocation in the kernel's space. The invocations of a workgroup that share leave together. */
export const placeOf = (kernel: Kernel): readonly string[] => {
  const { space, workgroup } = kernel
  const group = 'group.y * groups.x + group.x'
  const [name, value] = workgroup === undefined ? ['point', `(${group}) * ${String(usualSize)}u + local.x`] : ['place', group]
  const outer = space.slice(0, space.length - togetherOf(kernel).length)
  return [
    `let ${name} = ${value};`,
    `if ${name} >= ${countText(outer)} { return; }`,
    ...indicesAt(name, outer, 'rest'),
    ...indicesAt('local.x', togetherOf(kernel), 'lane'),
  ]
}
