import { median } from 'simple-statistics'
import type { Ladder, Rung } from '../results.js'
import { exponent } from '../statistics.js'
import { digits, megabytes, table } from './markdown.js'

const titles: { readonly [L in Ladder]: string } = {
  batch: 'sequences',
  time: 'tokens a sequence',
  width: 'width (heads of 32, SwiGLU of 8/3)',
  layers: 'layers',
}

const rows = (rungs: readonly Rung[]): readonly (readonly string[])[] =>
  rungs.map(({ contender, size, times, counts, peakBytes }) => [
    `${contender}, ${String(size)}`,
    digits(median(times)),
    megabytes(counts.arena),
    counts.arena === undefined || counts.needed === undefined ? '–' : (counts.arena / counts.needed).toFixed(2),
    megabytes(peakBytes),
  ])

const fitOf = (rungs: readonly Rung[], contender: string): string => {
  const own = rungs.filter((rung) => rung.contender === contender)
  const time = exponent(own.map(({ size, times }) => [size, median(times)]))
  const arena = exponent(own.flatMap(({ size, counts: { arena } }) => (arena === undefined ? [] : [[size, arena] as const])))
  return `${contender}: time grows with the power ${time.toFixed(2)}${Number.isNaN(arena) ? '' : `, the arena with ${arena.toFixed(2)}`}`
}

const ladderOf = (ladder: Ladder, growth: readonly Rung[]): readonly string[] => {
  const rungs = growth.filter((rung) => rung.ladder === ladder)
  const contenders = [...new Set(rungs.map(({ contender }) => contender))]
  return rungs.length === 0
    ? []
    : [
        `### By ${titles[ladder]}`,
        table(['', 'ms', 'arena, MB', 'arena by need', 'process, MB'], rows(rungs)),
        contenders.map((contender) => `- ${fitOf(rungs, contender)}`).join('\n'),
      ]
}

/** How a step grows along each of its sizes, the others being W5's. */
export const growthSections = (growth: readonly Rung[]): string =>
  [
    '## How a step grows',
    'W5 but for one size. The arena is what a run takes for all it makes on its way; its need is the most bytes alive at one time.',
    ...(Object.keys(titles) as readonly Ladder[]).flatMap((ladder) => ladderOf(ladder, growth)),
  ].join('\n\n')
