import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchState } from '../../../tasks/country-search/index.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { acted, anyWorld, bases, drawFrom, environmentOf, played } from './worlds.js'

test('the contexts of the documentation', () => {
  const { encode, decode } = bases.countries.vocabulary
  const environment = environmentOf(bases.countries, { objectives: { 2: 1 } })
  const find = (relation: string, bridge: string | undefined, name: string) =>
    [
      ...bases.countries.objectives.train[bridge === undefined ? 1 : 2],
      ...bases.countries.objectives.heldOut[bridge === undefined ? 1 : 2],
    ].find((o) => decode([o.relation, o.name]) === `${relation} ${name}`)!
  const objectives = [find('government', 'capital', 'Vilnius'), find('currency', undefined, 'Oman')]
  const start: SearchState = { question: { objectives, turns: 6, orders: [7, 7, 7, 7, 7, 7] }, turns: [] }
  const says = (state: SearchState, text: string): SearchState => acted(environment, state, right(encode(text)))
  expect(decode(environment.context(start))).toBe('<q> 1 government of capital Vilnius ; 2 currency of Oman ; </q> left 6')
  const second = says(start, '<mem> none </mem> <think> 1 </think> <search> capital Vilnius </search>')
  const third = says(second, '<mem> 1 via Lithuania ; </mem> <think> 1 </think> <search> government Lithuania </search>')
  expect(decode(environment.context(third))).toMatch(
    /^<q> 1 government of capital Vilnius ; 2 currency of Oman ; <\/q> <mem> 1 via Lithuania ; <\/mem> <search> government Lithuania <\/search> <info> (Lithuania [^;<]+; ){5}<\/info> left 4$/,
  )
  const fourth = says(third, '<mem> 1 is Republic ; </mem> <think> 2 </think> <search> currency Oman </search>')
  const end = says(
    fourth,
    '<mem> 1 is Republic ; 2 is Omani Rial ; </mem> <think> done </think> <answer> Republic ; Omani Rial ; </answer>',
  )
  expect(environment.reward(end)).toEqual({ value: 1, parts: { exact: 1, fraction: 1, format: 1 } })
  expect(environment.render(end)).toContain(
    'right   Republic ; Omani Rial ;\nreward  1   exact 1.00   fraction 1.00   format 1.00   answered',
  )
  expect(environment.context(end)).toEqual([])
})

const untold = (state: SearchState): SearchState => ({
  ...state,
  question: { ...state.question, objectives: state.question.objectives.map((objective) => ({ ...objective, path: [] })) },
})

law(
  'a context does not depend on the answers, nor on what its kind does not show',
  fc.property(anyWorld(), ({ environment, context, split, seed }) => {
    const states = played(environment, split, seed)
    for (const state of states.slice(0, -1)) {
      expect(environment.context(untold(state))).toEqual(environment.context(state))
      if (context === 'full') continue
      const elsewhere = [...states[0]!.turns, ...state.turns.slice(1).map(() => state.turns.at(-1)!), ...state.turns.slice(-1)]
      expect(environment.context({ ...state, turns: elsewhere })).toEqual(environment.context(state))
    }
  }),
)

law(
  'a name stands in a context only if the question, the policy or a search that the context shows has said it',
  fc.property(anyWorld(), ({ base, environment, context, split, seed }) => {
    for (const state of played(environment, split, seed).slice(0, -1)) {
      const shown = context === 'memory' ? state.turns.slice(-1) : state.turns
      const said = [
        ...state.question.objectives.map(({ name }) => name),
        ...shown.flatMap(({ response, found }) => [...response, ...found.flatMap(({ entity, value }) => [entity, value])]),
        ...Array.from({ length: state.question.turns }, (_, n) => base.vocabulary.count(n + 1)),
      ]
      const names = environment.context(state).filter((id) => base.vocabulary.names.has(id))
      expect(names.filter((id) => !said.includes(id))).toEqual([])
    }
  }),
)

law(
  'a context says how many turns are left; a full one begins with the last one and its response, another shows one search at most',
  fc.property(anyWorld(), ({ base, environment, context, split, seed }) => {
    const states = played(environment, split, seed)
    const contexts = states.slice(0, -1).map(environment.context)
    for (const [t, read] of contexts.entries()) {
      expect(read.slice(-2)).toEqual([base.vocabulary.word.left, base.vocabulary.count(states[0]!.question.turns - t)])
      if (t === 0) continue
      const before = [...contexts[t - 1]!, ...states.at(-1)!.turns[t - 1]!.response]
      if (context === 'full') expect(read.slice(0, before.length)).toEqual(before)
    }
    const searches = contexts.map((read) => read.filter((id) => id === environment.stopIds[0]).length)
    expect(searches).toEqual(contexts.map((_, t) => (context === 'full' ? t : Math.min(t, 1))))
  }),
)

test('the right result of a search is at each place about as often', () => {
  const environment = environmentOf(bases.countries, { objectives: { 1: 1 }, twoHops: 0 })
  const firsts = Array.from({ length: 200 }, (_, seed) => {
    const [start] = played(environment, 'train', seed)
    const found = acted(environment, start!, environment.oracle(start!, drawFrom(seed))).turns[0]!.found
    const { relation, name } = start!.question.objectives[0]!
    return found.findIndex((fact) => fact.relation === relation && fact.entity === name)
  })
  for (const place of [0, 1, 2, 3, 4]) expect(firsts.filter((at) => at === place).length).toBeGreaterThan(20)
})
