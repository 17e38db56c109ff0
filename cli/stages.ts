import { inParts, moduleText } from '../backends/cpu/index.js'
import { scheduled, wgslTexts } from '../backends/webgpu/index.js'
import { canonicalise, kernelBoxes, type Plan, printCommands, printKernel, printMemory } from '../compiler/index.js'
import { type AnyTensor, type Leaf, madeLeaves, printGraph, printProgram, type Program, toDot } from '../dsl/index.js'

type AnyProgram = Program<unknown, unknown, unknown>

/** One reading of a program. */
export interface Stage {
  readonly title: string
  /** What it shows, for the help. */
  readonly shows: string
  readonly text: (p: AnyProgram, plan: Plan) => string
  /** In Graphviz's language, where it can be drawn. */
  readonly dot?: (p: AnyProgram, plan: Plan) => string
}

const canonicalLeaves = (p: AnyProgram): readonly Leaf<AnyTensor>[] => {
  const leaves = madeLeaves(p)
  const roots = canonicalise(leaves.map(({ value }) => value))
  return leaves.map(({ path, value }, i) => ({ path, value: roots[i] ?? value }))
}

const kernelDot = (p: AnyProgram, plan: Plan): string => {
  const { roots, boxes } = kernelBoxes(p, plan)
  return toDot(roots, boxes)
}

const eachKernel =
  (text: (kernel: Plan['kernels'][number]) => string) =>
  (_: AnyProgram, { kernels }: Plan): string =>
    kernels.map(text).join('\n\n')

/** What a program becomes, in order. Nothing here needs a device, and no text holds an open size. */
export const stages: readonly Stage[] = [
  {
    title: 'graph',
    shows: 'the nodes of the loss and its gradient, equal ones once',
    text: printProgram,
    dot: (p) => toDot(madeLeaves(p)),
  },
  {
    title: 'canonical',
    shows: 'the graph that is planned',
    text: (p) => printGraph(canonicalLeaves(p)),
    dot: (p) => toDot(canonicalLeaves(p)),
  },
  {
    title: 'groups',
    shows: 'the commands: which kernel makes what, and why it is made',
    text: (_, plan) => printCommands(plan),
    dot: kernelDot,
  },
  { title: 'memory', shows: 'the buffers, their sizes, and when each is alive', text: (_, plan) => printMemory(plan) },
  { title: 'loops', shows: 'the kernels in the loop language', text: eachKernel(printKernel) },
  { title: 'wgsl', shows: 'the kernels for WebGPU', text: (_, plan) => wgslTexts(scheduled(plan)).join('\n\n') },
  { title: 'wat', shows: 'the module for the CPU', text: (_, plan) => moduleText(inParts(plan).plan) },
]
