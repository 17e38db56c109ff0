import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { type ContenderInfo, contenders, type Group } from './contenders.js'
import { growth } from './growth.js'
import { loadNow, machine } from './machine.js'
import { measure } from './measure.js'
import { lineOf, report } from './report/report.js'
import type { Result, Results, Rung } from './results.js'
import { type Workload, workloads } from './workloads.js'

/**
 * Measures this library beside its peers. `npm ci --prefix bench` installs those of npm; PyTorch is Debian's `python3-torch`, with
 * `libopenblas0-pthread`. What one run measures of a workload takes the place of what was measured of it before, in results.json, and results.md
 * is made anew.
 */

const list = (text: string): readonly string[] => text.split(',')

interface Options {
  readonly only: readonly string[]
  readonly contenders: readonly string[]
  readonly groups: readonly Group[]
  readonly runs: number
  readonly growth: boolean
}

const options = new Command('bench')
  .description('Measure this library beside its peers')
  .option('--only <names>', 'workloads, by the beginnings of their names: W1,chain')
  .option('--contenders <names>', 'contenders, by the beginnings of their names', list, [''])
  .option('--groups <names>', 'on which kind of device: cpu,webgpu', list, ['cpu', 'webgpu'])
  .option('--runs <number>', 'turns of each contender at a workload', Number, 7)
  .option('--no-growth', 'leave out how a step grows with its sizes; left out, too, where workloads are named')
  .parse()
  .opts<Omit<Options, 'only'> & { readonly only?: string }>()

const among =
  (beginnings: readonly string[]) =>
  ({ name }: { readonly name: string }): boolean =>
    beginnings.some((beginning) => name.startsWith(beginning))

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const raw = place('../results.json')
const settings = { runs: options.runs, folder: place('../../.cache/bench') }

const wanted = contenders.filter(among(options.contenders)).filter(({ group }) => options.groups.includes(group))
const named = workloads.filter(among(options.only?.split(',') ?? ['']))

const measured = async (of: readonly ContenderInfo[], what: readonly Workload[]): Promise<readonly Result[]> => {
  const all: Result[] = []
  for (const workload of of.length === 0 ? [] : what) {
    const results = await measure(workload, of, settings)
    for (const result of results) console.log(lineOf(result))
    all.push(...results)
  }
  return all
}

const grown = async (): Promise<readonly Rung[]> =>
  growth(
    wanted.filter(({ group, camp }) => group === 'cpu' && camp !== 'javascript'),
    settings.runs,
    settings.folder,
  )

// A contender that stands still would outlive this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const before = loadNow()
const results: Result[] = []
for (const group of options.groups)
  results.push(
    ...(await measured(
      wanted.filter((one) => one.group === group),
      named,
    )),
  )
const rungs = options.growth && options.only === undefined ? await grown() : []

const former: Partial<Results> = existsSync(raw) ? (JSON.parse(readFileSync(raw, 'utf8')) as Results) : {}
const isAnew = (old: Result): boolean => results.some(({ workload, group }) => workload === old.workload && group === old.group)
const all: Results = {
  machine: machine(before),
  results: [...(former.results ?? []).filter((old) => !isAnew(old)), ...results],
  growth: rungs.length === 0 ? (former.growth ?? []) : rungs,
}
writeFileSync(raw, `${JSON.stringify(all, null, 1)}\n`)
writeFileSync(place('../results.md'), report(all))
