import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerOf, badHabits, noHabits } from '../../../tasks/country-search/index.js'
import { demonstrate, probeLessons } from '../../../tasks/demonstration.js'
import type { Probe } from '../../../tasks/environment.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { acted, anyWorld, bases, drawFrom, environmentOf, played } from './worlds.js'

const share = ({ scored, known }: Probe): number => known.filter(Boolean).length / scored.filter(Boolean).length

law(
  'there are two probes for each turn after the first, that ask for the right answer after one memory, and after the searches before it',
  fc.property(anyWorld(), ({ base: { vocabulary }, environment, context, split, seed }) => {
    const end = played(environment, split, seed).at(-1)!
    const probes = environment.memoryProbes?.(end, 'gold') ?? []
    expect(probes.map(({ turn }) => turn)).toEqual(context === 'full' ? [] : end.turns.slice(1).map((_, t) => t + 1))
    for (const { turn, memory, history } of probes) {
      const answers = end.question.objectives.map(answerOf)
      for (const { context: read, answer, scored, known } of [memory, history]) {
        expect(read.at(-1)).toBe(vocabulary.open.answer)
        expect(answer).toEqual([...answers.flatMap((id) => [id, vocabulary.word[';']]), vocabulary.close.answer])
        expect(answer.filter((_, i) => scored[i])).toEqual(answers)
        expect(known.every((isKnown, i) => !isKnown || scored[i])).toBe(true)
      }
      const { said } = end.turns[turn]!
      const text = vocabulary.decode(memory.context)
      expect(text).toContain(`<mem> ${vocabulary.decode(said!.memory)} </mem>`)
      expect([text.split('<mem>').length, text.includes('<search>')]).toEqual([2, false])
      expect(history.context.filter((id) => id === vocabulary.open.search)).toHaveLength(turn)
      expect(history.context).not.toContain(vocabulary.open.mem)
    }
  }),
)

law(
  'a probe gives away no answer that was not found, and knows each that stands in it',
  fc.property(anyWorld(), ({ base: { vocabulary }, environment, split, seed }) => {
    const end = played(environment, split, seed).at(-1)!
    for (const { memory, history } of environment.memoryProbes?.(end, 'gold') ?? [])
      for (const [k, objective] of end.question.objectives.entries()) {
        const { entity, relation, value } = objective.path.at(-1)!
        const text = ` ${vocabulary.decode(history.context)} `
        expect(history.known[2 * k]).toBe(text.includes(` ${vocabulary.decode([entity, relation, value, vocabulary.word[';']])} `))
        const note = vocabulary.decode([vocabulary.count(k + 1), vocabulary.word.is, value, vocabulary.word[';']])
        expect(memory.known[2 * k]).toBe(` ${vocabulary.decode(memory.context).split('<mem>')[1]!} `.includes(` ${note} `))
      }
  }),
)

test('with an oracle that forgets nothing both know more from turn to turn, at the last everything, and the history no less than the memory', () => {
  const environment = environmentOf(bases.countries, { objectives: { 3: 1 }, habits: noHabits })
  for (let seed = 0; seed < 50; seed++) {
    const probes = environment.memoryProbes!(played(environment, 'train', seed).at(-1)!, 'gold')
    const [inMemory, inHistory] = [probes.map(({ memory }) => share(memory)), probes.map(({ history }) => share(history))]
    for (const shares of [inMemory, inHistory]) expect(shares).toEqual(shares.toSorted((x, y) => x - y))
    expect([inMemory.at(-1), inHistory.at(-1)]).toEqual([1, 1])
    // More where a search for something else happened to show it.
    expect(inMemory.every((known, t) => known <= inHistory[t]!)).toBe(true)
  }
})

test('with an oracle that forgets, a history knows more', () => {
  const environment = environmentOf(bases.countries, { objectives: { 3: 1 }, habits: badHabits })
  const probes = Array.from({ length: 50 }, (_, seed) =>
    environment.memoryProbes!(played(environment, 'train', seed).at(-1)!, 'gold'),
  ).flat()
  const mean = (of: (probe: (typeof probes)[number]) => Probe): number => probes.reduce((sum, p) => sum + share(of(p)), 0) / probes.length
  expect(mean((p) => p.history)).toBeGreaterThan(mean((p) => p.memory) + 0.1)
})

test('the generated answer is asked for as it was given, and knows only what is right; without one there are no probes', () => {
  const { encode, word } = bases.countries.vocabulary
  const environment = environmentOf(bases.countries, { objectives: { 2: 1 }, habits: noHabits })
  const states = played(environment, 'train', 5)
  const end = states.at(-1)!
  expect(environment.memoryProbes!(end, 'generated')).toEqual(environment.memoryProbes!(end, 'gold'))
  const wrong = acted(
    environment,
    states.at(-2)!,
    right(encode('<mem> none </mem> <think> done </think> <answer> none ; none ; none ; </answer>')),
  )
  const probe = environment.memoryProbes!(wrong, 'generated').at(-1)!
  expect(probe.memory.answer.filter((_, i) => probe.memory.scored[i])).toEqual([word.none, word.none, word.none])
  expect([...probe.memory.known, ...probe.history.known].some(Boolean)).toBe(false)
  const malformed = acted(environment, states.at(-2)!, [])
  expect(environment.memoryProbes!(malformed, 'generated')).toEqual([])
  expect(environment.memoryProbes!(malformed, 'gold')).toHaveLength(end.turns.length - 2)
  expect(environment.memoryProbes!(states[1]!, 'gold')).toEqual([])
})

test('the lessons of an episode are its turns, and of its probes what can be known', async () => {
  const environment = environmentOf(bases.countries, { objectives: { 2: 1 }, habits: badHabits })
  const { lessons, state } = await demonstrate(environment)(environment.problem('train', drawFrom(9)), (turn) => drawFrom(9, turn + 1))
  expect(state).toEqual(played(environment, 'train', 9).at(-1))
  expect(lessons.map(({ response }) => response)).toEqual(state.turns.map(({ response }) => response))
  const probes = environment.memoryProbes!(state, 'gold').flatMap(({ memory, history }) => [memory, history])
  const taught = probeLessons(environment)(state)
  expect(taught.map(({ context, response }) => [context, response])).toEqual(probes.map(({ context, answer }) => [context, answer]))
  for (const [i, lesson] of taught.entries()) {
    const { scored, known } = probes[i]!
    expect(lesson.taught).toEqual(scored.map((isScored, at) => !isScored || known[at]))
  }
})
