import type { AnyTensor, Axis, Node } from '../../dsl/index.js'
import type { Member } from '../cluster.js'
import { mannerOf, reducedAxes } from '../rows.js'

/** A part of a kernel's body: what one nest of loops makes, all of it with the same inner axes; what needs no loop; or what brings its own. */
export interface Stage {
  readonly tag: 'values' | 'loops' | 'block'
  readonly loops: readonly Axis[]
  readonly members: readonly AnyTensor[]
}

interface Planned {
  readonly member: Member
  readonly tag: Stage['tag']
  readonly loops: readonly Axis[]
  /** The same for equal loops. */
  readonly key: string
  level: number
}

const planned = (member: Member, rows: readonly Axis[]): Planned => {
  const { tensor } = member
  const manner = mannerOf(tensor.node)
  const loops = manner === 'pointwise' ? tensor.axes.filter(({ name }) => !rows.some((row) => row.name === name)) : reducedAxes(tensor)
  const tag = manner === 'block' || manner === 'alone' ? 'block' : manner === 'pointwise' && loops.length === 0 ? 'values' : 'loops'
  return { member, tag, loops, key: loops.map(({ name, size }) => `${name} ${size.text}`).join(), level: 0 }
}

/** Whether y can have an element of z in the turn of the loop that makes it. */
const sharesTurns = (y: Planned, z: Planned): boolean => {
  const read = y.member.buffers.get(z.member.tensor.node)
  return (
    y.tag === 'loops' &&
    z.tag === 'loops' &&
    y.key === z.key &&
    mannerOf(z.member.tensor.node) === 'pointwise' &&
    read !== undefined &&
    z.member.tensor.axes.every(({ name }) => read.aligned.has(name))
  )
}

/** The least level of y after z, which it reads. */
const levelAfter = (y: Planned, z: Planned): number => (z.tag === 'values' || sharesTurns(y, z) ? z.level : z.level + 1)

/** Put loops off until equal ones run, where nothing needs them earlier. */
const putOff = (all: readonly Planned[]): void => {
  for (const z of all.toReversed()) {
    if (z.tag !== 'loops') continue
    const readers = all.filter(({ member }) => member.buffers.has(z.member.tensor.node))
    const latest = Math.min(...readers.map((y) => (sharesTurns(y, z) ? y.level : y.level - 1)))
    const others = all.filter((y) => y !== z && y.tag === 'loops' && y.key === z.key && y.level > z.level && y.level <= latest)
    if (others.length > 0) z.level = Math.min(...others.map(({ level }) => level))
  }
}

/**
 * The parts of a kernel's body in their order. What does not depend on each other and goes over the same axes does so in one nest of loops, so
 * that what it reads and computes in common is read and computed once.
 */
export const stagesOf = (members: readonly Member[], rows: readonly Axis[]): readonly Stage[] => {
  const all = members.map((member) => planned(member, rows))
  const byNode = new Map<Node, Planned>(all.map((z) => [z.member.tensor.node, z]))
  for (const y of all)
    for (const node of y.member.buffers.keys()) {
      const z = byNode.get(node)
      if (z !== undefined) y.level = Math.max(y.level, levelAfter(y, z))
    }
  putOff(all)
  const stages = new Map<string, { readonly tag: Stage['tag']; readonly loops: readonly Axis[]; readonly members: AnyTensor[] }>()
  const order = { values: 0, loops: 1, block: 2 }
  for (const { member, tag, loops, key, level } of all.toSorted((y, z) => y.level - z.level || order[y.tag] - order[z.tag])) {
    const name = `${String(level)} ${tag} ${tag === 'block' ? String(member.position) : key}`
    const stage = stages.get(name)
    if (stage === undefined) stages.set(name, { tag, loops, members: [member.tensor] })
    else stage.members.push(member.tensor)
  }
  return [...stages.values()]
}
