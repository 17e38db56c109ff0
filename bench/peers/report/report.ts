import { median } from 'simple-statistics'
import type { Group } from '../contenders.js'
import type { Machine, Result, Results } from '../results.js'
import { workloads } from '../workloads.js'
import { growthSections } from './growth.js'
import { partOf } from './of.js'
import { sectionsOf } from './sections.js'

const machineText = ({ processor, cores, memoryBytes, node, load }: Machine): string =>
  `${processor}, ${String(cores)} cores, ${(memoryBytes / 2 ** 30).toFixed(0)} GiB, Node ${node}; programs that wanted a core, before and after: ${load.map((x) => x.toFixed(1)).join(' and ')}.`

const preface = [
  'Written by `npm run bench`. Every contender computes the same from the same inputs in float32, in a process of its own that stands still while',
  'another runs; its results are checked against float64 (1e-4) before it is timed; then they take turns, so that what slows the machine slows all.',
].join('\n')

const titles: { readonly [G in Group]: string } = { cpu: 'On the processor', webgpu: 'On WebGPU' }

/** The report of a run. */
export const report = (results: Results): string =>
  [
    '# This library beside its peers',
    preface,
    machineText(results.machine),
    workloads.map(({ name, title }) => `- **${name}** ${title}`).join('\n'),
    ...(Object.keys(titles) as readonly Group[]).flatMap((group) => {
      const part = partOf(results, group)
      return part.results.length === 0 ? [] : [sectionsOf(titles[group], part)]
    }),
    ...(results.growth.length === 0 ? [] : [growthSections(results.growth)]),
  ].join('\n\n') + '\n'

/** A result as a line, while others are measured. */
export const lineOf = (result: Result): string => {
  const said = result.tag === 'timed' ? `${median(result.times).toFixed(2)} ms, first ${result.first.ms.toFixed(0)} ms` : result.because
  return `${result.workload.padEnd(7)}${result.contender.padEnd(20)}${said}`
}
