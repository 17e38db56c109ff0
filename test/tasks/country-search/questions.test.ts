import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import {
  answerOf,
  baseOf,
  defaults,
  type Domain,
  elements,
  mixes,
  type Objective,
  renderSettingError,
  searchEnvironment,
  type SearchSettings,
} from '../../../tasks/country-search/index.js'
import { asked } from '../../../tasks/country-search/objectives.js'
import { permuted } from '../../../tasks/country-search/order.js'
import { law } from '../../law.js'
import { anyWorld, bases, drawFrom, environmentOf } from './worlds.js'

const all = Object.values(bases)
const wordsOf = (objective: Objective, base: (typeof all)[number]): string => base.vocabulary.decode(asked(objective, base.vocabulary))

test('no objective is both trained on and held out, and about one in ten is held out', () => {
  for (const base of all) {
    const [train, heldOut] = [base.objectives.train, base.objectives.heldOut].map((side) =>
      [...side[1], ...side[2]].map((o) => wordsOf(o, base)),
    )
    expect(new Set([...train!, ...heldOut!]).size).toBe(train!.length + heldOut!.length)
    const share = heldOut!.length / (train!.length + heldOut!.length)
    expect(share > 0.07 && share < 0.13).toBe(true)
  }
})

test('the objectives are all facts, and two hops by every value that one subject alone has', () => {
  const { objectives, facts, domain } = bases.countries
  const [one, two] = ([1, 2] as const).map((hops) => [...objectives.train[hops], ...objectives.heldOut[hops]])
  expect(new Set(one!.map(({ path }) => path[0]))).toEqual(new Set(facts))
  const alone = domain.bridges.flatMap((bridge) => {
    const of = domain.facts.filter(({ relation }) => relation === bridge)
    return of.filter(({ value }) => of.filter((other) => other.value === value).length === 1)
  })
  const others = alone.map(({ entity, relation }) => domain.facts.filter((f) => f.entity === entity && f.relation !== relation).length)
  expect(two!.length).toBe(others.reduce((sum, n) => sum + n, 0))
})

law(
  'a question asks different objectives of its split, which are facts that follow from each other',
  fc.property(anyWorld(), ({ base, environment, split, seed }) => {
    const { objectives, turns } = environment.problem(split, drawFrom(seed)).question
    const pool = [...base.objectives[split][1], ...base.objectives[split][2]]
    expect(new Set(objectives).size).toBe(objectives.length)
    for (const objective of objectives) {
      const [first, last = first] = objective.path
      expect(pool).toContain(objective)
      expect(base.facts).toEqual(expect.arrayContaining([first, last]))
      expect([last!.relation, last!.entity, last!.value]).toEqual([objective.relation, first!.entity, answerOf(objective)])
      expect(objective.name).toBe(objective.bridge === undefined ? first!.entity : first!.value)
    }
    expect(turns).toBe(objectives.reduce((sum, { path }) => sum + path.length, 0) + 1 + defaults.slack)
  }),
  { runs: 50 },
)

law(
  'the same seed asks the same question',
  fc.property(anyWorld(), ({ environment, split, seed }) => {
    expect(environment.problem(split, drawFrom(seed))).toEqual(environment.problem(split, drawFrom(seed)))
  }),
)

test('a mix is asked as its weights say, and another seed asks something else', () => {
  const environment = environmentOf(bases.countries, { objectives: { ...mixes.upToTwo, 3: 2 }, twoHops: 0.25 })
  const questions = Array.from({ length: 2000 }, (_, seed) => environment.problem('train', drawFrom(seed)).question.objectives)
  const share = (count: number): number => questions.filter(({ length }) => length === count).length / questions.length
  expect([share(1), share(2), share(3)].map((s) => Math.round(20 * s) / 20)).toEqual([0.25, 0.25, 0.5])
  const hops = questions.flat().filter(({ path }) => path.length === 2).length / questions.flat().length
  expect(Math.abs(hops - 0.25) < 0.03).toBe(true)
  expect(new Set(questions.map((q) => q.map((o) => wordsOf(o, bases.countries)).join())).size).toBeGreaterThan(1800)
})

law(
  'the permutations of a list, numbered, are all of them',
  fc.property(fc.integer({ min: 0, max: 5 }), (length) => {
    const list = Array.from({ length }, (_, i) => i)
    const count = list.reduce((product, i) => product * (i + 1), 1)
    const orders = Array.from({ length: count }, (_, n) => permuted(list, n))
    expect(new Set(orders.map(String)).size).toBe(count)
    for (const order of orders) expect(order.toSorted()).toEqual(list)
  }),
  { runs: 6 },
)

test('every setting that the task cannot do is named, all at once, and nothing is thrown', () => {
  const made = searchEnvironment(bases.countries, {
    objectives: { 1: 0, 2: -1 },
    twoHops: NaN,
    results: 0,
    slack: 1.5,
    reward: { exact: -1, fraction: Infinity, format: 0 },
    habits: { forget: 2, wrongDoc: 0, wrongRelation: 0 },
  })
  expect(E.isLeft(made) && made.left.map(({ setting }) => setting)).toEqual([
    'objectives',
    'twoHops',
    'results',
    'slack',
    'reward.exact',
    'reward.fraction',
    'habits.forget',
  ])
  const tooLong = searchEnvironment(bases.countries, { objectives: { 8: 1 }, slack: 3 })
  expect(E.isLeft(tooLong) && renderSettingError(tooLong.left[0]!)).toBe(
    "slack = 3 in the task's settings\n  because: slack is a whole number from 0 to 2 with 8 objectives\n  try: change it, or leave it out for the default",
  )
  expect(E.isLeft(searchEnvironment(bases.countries, { objectives: {} }))).toBe(true)
  expect(E.isLeft(searchEnvironment(bases.countries, { objectives: JSON.parse('{"9":1}') as object }))).toBe(true)
})

test('a domain that has too little to ask is refused, and asked for what it has', () => {
  const refused = (domain: Domain, settings: Partial<SearchSettings> = {}): readonly string[] => {
    const made = searchEnvironment(baseOf(domain), settings)
    return E.isLeft(made) ? made.left.map(renderSettingError) : []
  }
  const bridgeless = { ...elements, bridges: [] }
  expect(refused(bridgeless)).toEqual([
    "twoHops = 0.5 in the task's settings\n  because: twoHops is 0 where there are not 3 of two hops in each split: 0 are to train on in elements\n  try: change it, or leave it out for the default",
  ])
  expect(refused(bridgeless, { twoHops: 0 })).toEqual([])

  const few = { ...bridgeless, facts: elements.facts.slice(0, 12) }
  expect(refused(few, { twoHops: 0 })).toEqual([
    'objectives = {"1":1,"2":1,"3":1} in the task\'s settings\n  because: objectives asks for up to 3, and of one hop there are 1 held out in elements\n  try: change it, or leave it out for the default',
  ])
  expect(refused(few, { twoHops: 0, objectives: { 1: 1 } })).toEqual([])
})
