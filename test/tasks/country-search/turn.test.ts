import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOf, type SearchState } from '../../../tasks/country-search/index.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { acted, anyWorld, bases, drawFrom, environmentOf, played, type World } from './worlds.js'

const { encode, vocabulary } = bases.countries.vocabulary
const memory = environmentOf(bases.countries)
const full = environmentOf(bases.countries, { context: 'full' })

const after = (text: string, environment = memory): SearchState =>
  acted(environment, environment.problem('train', drawFrom(1)), right(encode(text)))

test.each([
  '<mem> none </mem> <think> 1 </think> <search> capital Oman </search>',
  '<mem> </mem> <think> </think> <search> currency Euro </search>',
  '<mem> Oman Oman is of left none </mem> <think> done done </think> <answer> none ; </answer>',
  '<mem> none </mem> <think> 1 </think> <answer> capital ; Oman ; 3 ; </answer>',
])('well-formed: %s', (text) => {
  expect(endOf(after(text))).not.toBe('malformed')
})

test.each([
  '',
  '<mem>',
  '<mem> none </mem>',
  '<mem> none </mem> <think> 1 </think>',
  '<think> 1 </think> <mem> none </mem> <search> capital Oman </search>',
  '<think> 1 </think> <search> capital Oman </search>',
  '<mem> none </mem> <mem> none </mem> <think> 1 </think> <search> capital Oman </search>',
  '<mem> none <think> 1 </think> </mem> <search> capital Oman </search>',
  '<mem> <pad> </mem> <think> 1 </think> <search> capital Oman </search>',
  '<mem> none </mem> <think> 1 </think> <search> Oman capital </search>',
  '<mem> none </mem> <think> 1 </think> <search> capital </search>',
  '<mem> none </mem> <think> 1 </think> <search> capital of Oman </search>',
  '<mem> none </mem> <think> 1 </think> <search> capital Oman Oman </search>',
  '<mem> none </mem> <think> 1 </think> <search> capital Oman </search> <search> capital Oman </search>',
  '<mem> none </mem> <think> 1 </think> <search> capital Oman </search> <info> Oman capital Muscat ; </info>',
  '<mem> none </mem> <think> done </think> <answer> </answer>',
  '<mem> none </mem> <think> done </think> <answer> Oman </answer>',
  '<mem> none </mem> <think> done </think> <answer> Oman ; Oman </answer>',
  '<mem> none </mem> <think> done </think> <answer> ; Oman ; </answer>',
  '<mem> none </mem> <think> done </think> <answer> ; ; </answer>',
  '<mem> none </mem> <think> done </think> <answer> Oman ;',
])('malformed, and worth nothing: %s', (text) => {
  const state = after(text)
  expect(endOf(state)).toBe('malformed')
  expect(memory.reward(state)).toEqual({ value: 0, parts: { exact: 0, fraction: 0, format: 0 } })
})

test('a policy that reads everything writes no memory', () => {
  expect(endOf(after('<think> 1 </think> <search> capital Oman </search>', full))).toBeUndefined()
  expect(endOf(after('<mem> none </mem> <think> 1 </think> <search> capital Oman </search>', full))).toBe('malformed')
})

test('a response longer than it may be is malformed, however well it is written', () => {
  const long = `<mem> ${'none '.repeat(memory.maxTokens)}</mem> <think> 1 </think> <search> capital Oman </search>`
  expect(endOf(after(long))).toBe('malformed')
})

test('an episode without an answer ends when its turns run out', () => {
  const environment = environmentOf(bases.countries, {
    objectives: { 1: 1 },
    twoHops: 0,
    slack: 0,
    reward: { exact: 1, fraction: 0, format: 0.5 },
  })
  const search = right(encode('<mem> none </mem> <think> 1 </think> <search> capital Oman </search>'))
  const once = acted(environment, environment.problem('train', drawFrom(1)), search)
  const twice = acted(environment, once, search)
  expect([endOf(once), endOf(twice)]).toEqual([undefined, 'outOfTurns'])
  expect(environment.reward(twice)).toEqual({ value: 0.5, parts: { exact: 0, fraction: 0, format: 1 } })
  expect(acted(environment, twice, search)).toBe(twice)
})

test('each token of a response is of one kind', () => {
  const ids = right(encode('<mem> 1 is Oman ; </mem> <think> 2 </think> <search> capital Oman </search>'))
  const kinds = [...Array<string>(6).fill('memory'), ...Array<string>(3).fill('think'), ...Array<string>(4).fill('search')]
  expect(memory.kinds(ids)).toEqual(kinds)
  expect(memory.kinds(right(encode('Oman <mem> 1 <answer> Oman ; </answer> ; </mem>')))).toEqual([
    'other', 'memory', 'memory', 'answer', 'answer', 'answer', 'answer', 'other', 'other',
  ]) // prettier-ignore
})

// ── Responses that nobody would write ──

const anyId = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: vocabulary.length - 1 }) },
  fc.nat({ max: 40 }),
  fc.integer(),
  fc.constantFrom(NaN, Infinity, -1, 0.5, vocabulary.length),
)

interface Blow {
  readonly at: number
  readonly ids: readonly number[]
  readonly how: 'replace' | 'insert' | 'cut' | 'repeat'
}

const struck = (response: readonly number[], { at, ids, how }: Blow): readonly number[] => {
  const place = response.length === 0 ? 0 : at % response.length
  const blows = {
    replace: () => response.toSpliced(place, ids.length, ...ids),
    insert: () => response.toSpliced(place, 0, ...ids),
    cut: () => response.slice(0, place),
    repeat: () => [...response.slice(0, place + 1), ...response.slice(at % (place + 1))],
  }
  return blows[how]()
}

const anyBlow: fc.Arbitrary<Blow> = fc.record({
  at: fc.nat(),
  ids: fc.array(anyId, { maxLength: 3 }),
  how: fc.constantFrom('replace', 'insert', 'cut', 'repeat'),
})

/** That a trainer can go on with a state: all that is read is words, and what it earns is a number. */
const expectWhole = ({ base, environment }: World, state: SearchState): void => {
  const { value, parts } = environment.reward(state)
  const probes = (['gold', 'generated'] as const).flatMap((which) => environment.memoryProbes?.(state, which) ?? [])
  const read = [
    environment.context(state),
    ...probes.flatMap(({ memory, history }) => [...memory.context, ...memory.answer, ...history.context]),
  ]
  const response = state.turns.at(-1)?.response ?? []
  expect([value, ...Object.values(parts)].every((x) => x >= 0 && x <= 1)).toBe(true)
  expect(endOf(state) === 'malformed' ? value : 0).toBe(0)
  expect(read.flat().filter((id) => base.vocabulary.vocabulary[id] === undefined)).toEqual([])
  expect(environment.kinds(response)).toHaveLength(response.length)
}

law(
  'a response of any ids throws nowhere and is malformed, or leads to a state to go on with',
  fc.property(anyWorld(), fc.array(anyId, { maxLength: 60 }), (world, response) => {
    const { environment, split, seed } = world
    expectWhole(world, acted(environment, environment.problem(split, drawFrom(seed)), response))
  }),
)

law(
  "an oracle's response that was cut, repeated or written over throws nowhere, then or in the turns after it",
  fc.property(anyWorld(), fc.array(anyBlow, { maxLength: 3 }), fc.nat(), (world, blows, turn) => {
    const { environment, split, seed } = world
    const states = played(environment, split, seed)
    const state = states[turn % (states.length - 1)]!
    let next = acted(environment, state, blows.reduce(struck, environment.oracle(state, drawFrom(seed))))
    for (let t = 0; !environment.isOver(next); t++) {
      expectWhole(world, next)
      next = acted(environment, next, environment.oracle(next, drawFrom(seed, t)))
    }
    expectWhole(world, next)
    expect(environment.render(next)).toContain('\nreward  ')
  }),
  { runs: 200 },
)

test('ten thousand tokens are malformed', () => {
  const state = acted(
    memory,
    memory.problem('train', drawFrom(1)),
    Array.from({ length: 10_000 }, (_, i) => i % vocabulary.length),
  )
  expect(memory.reward(state).value).toBe(0)
  expect(endOf(state)).toBe('malformed')
})

// ── Rewards ──

test.each([
  ['right ; right ;', { exact: 1, fraction: 1, format: 1 }],
  ['right ; wrong ;', { exact: 0, fraction: 0.5, format: 1 }],
  ['wrong ; right ;', { exact: 0, fraction: 0.5, format: 1 }],
  ['right ;', { exact: 0, fraction: 0, format: 1 }],
  ['right ; right ; right ;', { exact: 0, fraction: 0, format: 1 }],
])('two objectives answered `%s` earn %o', (answer, parts) => {
  const environment = environmentOf(bases.countries, { objectives: { 2: 1 }, reward: { exact: 0.7, fraction: 0.3, format: 0 } })
  const start = environment.problem('heldOut', drawFrom(3))
  const gold = start.question.objectives.map(({ path }) => path.at(-1)!.value)
  const { open, close, word } = bases.countries.vocabulary
  const kinds = answer.split(' ; ').map((kind) => kind.replace(' ;', ''))
  const values = kinds.flatMap((kind, k) => [kind === 'right' ? (gold[k] ?? gold[0]!) : word.none, word[';']])
  const said = [open.mem, close.mem, open.think, close.think, open.answer, ...values, close.answer]
  expect(environment.reward(acted(environment, start, said))).toEqual({ value: 0.7 * parts.exact + 0.3 * parts.fraction, parts })
})
