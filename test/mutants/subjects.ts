import { catalogue } from '../../algorithms/index.js'
import { inert, rules } from '../../autodiff/index.js'
import { type Loss, type ScalarOp, scalarOps, type Tag } from '../../dsl/index.js'
import { casesFrom, judged, type Killing } from './judge.js'
import { isOfFloats, type Verifiable } from './losses.js'
import type { Kind } from './mistake.js'
import type { Mutant } from './mutant.js'
import { mutantsOfPartials } from './of-partials.js'
import { mutantsOfPullback } from './of-pullbacks.js'
import { mutantsOfPushforward } from './of-pushforwards.js'
import { activeNodes, nameOf, programsUsing } from './programs.js'
import { judgedByIntent, mutantsOfLoss } from './stops.js'

/** A mutant, and who finds it. */
export interface Trial {
  readonly text: string
  readonly kind: Kind
  readonly judged: () => Killing | undefined
}

/** A row of a table of the derivative, or a loss, with its mutants. */
export interface Subject {
  readonly name: string
  /** Whether a derivative passes, so that there must be mutants. */
  readonly passes: boolean
  readonly trials: () => readonly Trial[]
}

export interface Thoroughness {
  /** How many cases a mutant is tried on. */
  readonly cases: number
  /** In how many random programs the formulas of a node are looked for, in which mistakes can be made. */
  readonly programs: number
}

const distinct = (mutants: readonly Mutant[]): readonly Mutant[] => [
  ...new Map(mutants.map((mutant) => [`${mutant.kind} ${mutant.what}`, mutant])).values(),
]

/** A derivative that passes where there is none, in both modes alike. */
const inBoth = (pullbacks: readonly Mutant[], pushforwards: readonly Mutant[]): readonly Mutant[] =>
  pullbacks.flatMap((back) => {
    const forth = pushforwards.find(({ kind }) => kind === back.kind && (kind === 'unstopped' || kind === 'added'))
    if (forth === undefined) return []
    return [{ ...back, what: 'in both modes', rules: { pullbacks: back.rules.pullbacks, pushforwards: forth.rules.pushforwards } }]
  })

/** Every row of the derivative, and every loss of the library. */
export const subjects = (seed: number, { cases: most, programs }: Thoroughness): readonly Subject[] => {
  const using = programsUsing(seed)
  const cases = casesFrom(using, seed, most)
  const trial =
    (row: string, name: string) =>
    (mutant: Mutant): Trial => ({
      text: `${row}: ${mutant.kind}: ${mutant.what}`,
      kind: mutant.kind,
      judged: () => judged(cases(name), mutant),
    })
  const ofOp = (op: ScalarOp): Subject => {
    const name = `partials.${op}`
    return { name, passes: isOfFloats(op), trials: () => mutantsOfPartials(op).map(trial(name, `map ${op}`)) }
  }
  const ofTag = (tag: Tag): Subject => {
    const name = `nodes.${tag}`
    // What is written of `map` itself is read off at `add`, whose partial derivatives are 1.
    const user = tag === 'map' ? 'map add' : tag
    const trials = () => {
      const nodes = using(user, programs)
        .flatMap(activeNodes)
        .filter((y) => nameOf(y) === user)
      const [pullbacks, pushforwards] = [distinct(nodes.flatMap(mutantsOfPullback)), distinct(nodes.flatMap(mutantsOfPushforward))]
      return [
        ...pullbacks.map(trial(`${name} backward`, user)),
        ...pushforwards.map(trial(`${name} forward`, user)),
        ...inBoth(pullbacks, pushforwards).map(trial(name, user)),
      ]
    }
    return { name, passes: !(tag in inert), trials }
  }
  const ofLoss = (loss: Loss<unknown>): Subject => {
    const name = `losses.${loss.name}`
    const given: Verifiable = { loss: loss as unknown as Loss<never>, options: {} }
    const trials = () =>
      mutantsOfLoss(given).map((mutant) => ({
        text: `${name}: ${mutant.kind}: ${mutant.what}`,
        kind: mutant.kind,
        judged: () => judgedByIntent(given, mutant, seed, most),
      }))
    return { name, passes: true, trials }
  }
  return [
    ...(Object.keys(scalarOps) as readonly ScalarOp[]).map(ofOp),
    ...(Object.keys(rules.pullbacks) as readonly Tag[]).map(ofTag),
    ...Object.values(catalogue).map(({ loss }) => ofLoss(loss)),
  ]
}
