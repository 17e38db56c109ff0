import type { Trajectory, Turn } from '../trajectories.js'
import { greatest, groupedBy, mean, meansByName, type Numbers, spread, type Spread, std, sum } from './statistics.js'

/** What is said of what the policy played. */
export interface Played {
  readonly trajectories: number
  /** What the task pays. */
  readonly reward: Spread
  /** The mean of each part of the reward, by its name in the task: `exact`, `format`, … */
  readonly rewardParts: Numbers
  readonly groups: {
    readonly count: number
    /** The mean of the groups' standard deviations of the reward. */
    readonly std: number
    /** The share of groups whose members all earned the same: they give no gradient. */
    readonly withoutVariance: number
    /** The means over groups of how many of a group's trajectories, and of all its queries, are different: few is a policy that collapses. */
    readonly distinctTrajectories: number
    readonly distinctQueries: number
  }
  readonly turns: number
  readonly written: {
    /** Tokens of a trajectory that the policy wrote. */
    readonly mean: number
    readonly greatest: number
    /** Of all trajectories. */
    readonly total: number
    /** Of a turn that wrote a memory, those that write it. */
    readonly memory: number
  }
  readonly read: {
    /** Tokens of a trajectory's contexts, at each turn anew. */
    readonly mean: number
    /** The longest context with its answer. */
    readonly peak: number
  }
}

/** What a policy earned that is compared within groups. */
interface Earning {
  readonly group: number
  readonly paid: number
}

const wrote = ({ answer }: Turn): number => answer.ids.length

const writtenAs = (kind: string, { kinds }: Turn): number => kinds.filter((own) => own === kind).length

/** Each query of a turn: the tokens of a search that stand together. */
const queriesOf = ({ answer, kinds }: Turn): readonly string[] => {
  const marked = answer.ids.map((id, i) => (kinds[i] === 'search' ? String(id) : ';'))
  return marked
    .join(' ')
    .split(';')
    .map((query) => query.trim())
    .filter((query) => query !== '')
}

const distinct = (texts: readonly string[]): number => new Set(texts).size

const textOf = ({ turns }: Trajectory<unknown>): string => turns.map(({ answer }) => answer.ids.join(' ')).join(';')

const groupsOf = (trajectories: readonly Trajectory<unknown>[], earnings: readonly Earning[]): Played['groups'] => {
  const stds = groupedBy(earnings, ({ group }) => group).map((own) => std(own.map(({ paid }) => paid)))
  const groups = groupedBy(trajectories, ({ group }) => group)
  return {
    count: groups.length,
    std: mean(stds),
    withoutVariance: mean(stds.map((x) => (x === 0 ? 1 : 0))),
    distinctTrajectories: mean(groups.map((own) => distinct(own.map(textOf)))),
    distinctQueries: mean(groups.map((own) => distinct(own.flatMap(({ turns }) => turns.flatMap(queriesOf))))),
  }
}

/** What a rollout shows, and how what was paid for it varies within its groups. */
export const playedOf = (trajectories: readonly Trajectory<unknown>[], paid: readonly number[]): Played => {
  const perTrajectory = trajectories.map(({ turns }) => sum(turns.map(wrote)))
  const turns = trajectories.flatMap((trajectory) => trajectory.turns)
  return {
    trajectories: trajectories.length,
    reward: spread(trajectories.map(({ reward }) => reward.value)),
    rewardParts: meansByName(trajectories.map(({ reward }) => reward.parts)),
    groups: groupsOf(
      trajectories,
      trajectories.map(({ group }, i) => ({ group, paid: paid[i] ?? 0 })),
    ),
    turns: mean(trajectories.map((trajectory) => trajectory.turns.length)),
    written: {
      mean: mean(perTrajectory),
      greatest: greatest(perTrajectory),
      total: sum(perTrajectory),
      memory: mean(turns.map((turn) => writtenAs('memory', turn)).filter((count) => count > 0)),
    },
    read: {
      mean: mean(trajectories.map((trajectory) => sum(trajectory.turns.map(({ context }) => context.length)))),
      peak: greatest(turns.map((turn) => turn.context.length + wrote(turn))),
    },
  }
}
