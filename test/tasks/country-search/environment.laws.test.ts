import fc from 'fast-check'
import { expect } from 'vitest'
import { type Base, curriculum } from '../../../tasks/country-search/index.js'
import { asked, type Objective } from '../../../tasks/country-search/objectives.js'
import { demonstrate, probeLessons } from '../../../tasks/demonstration.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { acted, anyWorld, bases, drawFrom, environmentOf, played } from './worlds.js'

const firstTurn = { memory: '<mem> none </mem> ', full: '' } as const

law(
  'a well-formed query for a fact or for what tells a subject shows it, in the task as in the index, at whatever turn it is asked',
  fc.property(anyWorld(), fc.nat(), fc.boolean(), ({ base, environment, context, split, seed }, drawn, isBridge) => {
    const { facts, objectives, vocabulary } = base
    const bridges = [...objectives.train[2], ...objectives.heldOut[2]].map(({ path }) => path[0]!)
    const fact = isBridge ? bridges[drawn % bridges.length]! : facts[drawn % facts.length]!
    const query = vocabulary.decode([fact.relation, isBridge ? fact.value : fact.entity])
    const response = right(vocabulary.encode(`${firstTurn[context]}<think> 1 </think> <search> ${query} </search>`))
    for (const state of played(environment, split, seed).slice(0, -1)) {
      const next = acted(environment, state, response)
      expect(next.turns.at(-1)!.found).toContain(fact)
      if (environment.isOver(next)) continue
      const shown = ` ${vocabulary.decode([fact.entity, fact.relation, fact.value])} ; `
      expect(` ${vocabulary.decode(environment.context(next))} `).toContain(shown)
    }
  }),
)

law(
  'what a policy reads, and what a memory is judged by, holds nothing of later turns',
  fc.property(anyWorld(), ({ environment, split, seed }) => {
    const states = played(environment, split, seed)
    const end = states.at(-1)!
    const contexts = states.slice(0, -1).map(environment.context)
    expect(end.turns.map((_, t) => environment.context({ ...end, turns: end.turns.slice(0, t) }))).toEqual(contexts)
    for (const { turn, ...probe } of environment.memoryProbes?.(end, 'gold') ?? []) {
      // The same episode up to this turn, ended by a response that is none.
      const cut = acted(environment, states[turn + 1]!, [])
      const ended = turn === end.turns.length - 1 ? end : cut
      expect(environment.memoryProbes!(ended, 'gold').find((one) => one.turn === turn)).toEqual({ turn, ...probe })
    }
  }),
)

const textOf = ({ vocabulary }: Base, objective: Objective): string => vocabulary.decode(asked(objective, vocabulary))

const everyBase = Object.values(bases)
const heldOut = new Map(
  everyBase.map((base) => [
    base,
    new Set([...base.objectives.heldOut[1], ...base.objectives.heldOut[2]].map((objective) => textOf(base, objective))),
  ]),
)

/** The objectives that a text asks for, as it asks for them. */
const askedIn = (text: string): readonly string[] =>
  (/^<q> (.*) ; <\/q>/.exec(text)?.[1] ?? '').split(' ; ').map((item) => item.replace(/^\d+ /, ''))

law(
  'nothing that a warm start or a rollout asks is held out, in any stage; and all that an evaluation asks is',
  fc.asyncProperty(fc.constantFrom(...everyBase), fc.constantFrom(...curriculum), fc.nat(), async (base, { settings }, seed) => {
    const environment = environmentOf(base, settings)
    const never = heldOut.get(base)!
    const problem = environment.problem('train', drawFrom(seed))
    const { lessons, state } = await demonstrate(environment)(problem, (turn) => drawFrom(seed, turn + 1))
    const read = [...lessons, ...probeLessons(environment)(state)].map(({ context }) => base.vocabulary.decode(context))
    for (const text of read) {
      const said = askedIn(text)
      expect(said).toEqual(problem.question.objectives.map((objective) => textOf(base, objective)))
      expect(said.filter((one) => never.has(one))).toEqual([])
    }
    const examined = askedIn(base.vocabulary.decode(environment.context(environment.problem('heldOut', drawFrom(seed)))))
    expect(examined.filter((one) => !never.has(one))).toEqual([])
  }),
)
