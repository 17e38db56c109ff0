import type { RunContents } from './contents.js'
import { html, type Html } from '../html.js'
import { at, linesIn, numberAt } from './lines.js'

const lastStep = ({ metrics }: RunContents): number =>
  Math.max(0, ...linesIn(metrics ?? '').lines.map((line) => numberAt(line, 'step') ?? 0))

/** Steps of the warm start, which a policy that begins as a checkpoint has it goes without. */
const taughtSteps = (told: unknown): number => {
  const stages = at(told, 'config.supervised.stages')
  const isTaught = (at(told, 'config.init') ?? 'random') === 'random' && Array.isArray(stages)
  return isTaught ? stages.reduce((sum: number, stage: unknown) => sum + (numberAt(stage, 'steps') ?? 0), 0) : 0
}

const plannedSteps = ({ told }: RunContents): number | undefined => {
  const steps = numberAt(told, 'config.reinforcement.steps')
  return steps === undefined ? undefined : taughtSteps(told) + (numberAt(told, 'config.rewardModel.steps') ?? 0) + steps
}

const missing = (file: string, text: string | undefined): readonly string[] => {
  if (text === undefined) return [`There is no ${file} in the folder: what it says is missing here.`]
  const { unreadable } = linesIn(text)
  return unreadable === 0
    ? []
    : [`${String(unreadable)} of the lines of ${file} cannot be read, as where a run was killed; the others are here.`]
}

const unfinished = (contents: RunContents): readonly string[] => {
  const [last, planned] = [lastStep(contents), plannedSteps(contents)]
  if (planned === undefined || last >= planned) return []
  return [`This run is at step ${String(last)} of ${String(planned)}; it goes on by: npx axgrad train --resume ${contents.folder}`]
}

const broken = ({ faults, folder }: RunContents): readonly string[] =>
  faults.map((file) => `A step failed; what it was given is in ${folder}/faults/${file}.`)

/** What somebody is to know before the numbers. */
export const noticesOf = (contents: RunContents): readonly Html[] =>
  [
    ...unfinished(contents),
    ...broken(contents),
    ...missing('metrics.jsonl', contents.metrics),
    ...missing('timing.jsonl', contents.timing),
  ].map((text) => html`<p class="notice">${text}</p>`)
