import * as E from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Device } from '../../backends/backend.js'
import { add, f32, program } from '../../dsl/index.js'
import { announcing, loadReinforcement, loadRespond, recipeOf } from '../../training/index.js'
import { load } from '../../training/load.js'
import { right as orThrow } from '../right.js'
import { base, task } from './reinforcement/learnt.js'
import { onCpu, right } from './tiny.js'

/** What happened, in order; 'a turn' is one of a timer that is always due. */
let events: string[] = []
let timer: NodeJS.Timeout

const happens = (what: string): void => {
  if (!(what === 'a turn' && events.at(-1) === what)) events.push(what)
}

beforeEach(() => {
  events = []
  timer = setInterval(() => {
    happens('a turn')
  }, 1)
})

afterEach(() => {
  clearInterval(timer)
})

const watched = (device: Device): Device =>
  announcing(
    {
      ...device,
      load: (planned) => {
        happens('loaded')
        return device.load(planned)
      },
    },
    (name) => {
      happens(`${name} begins`)
      return () => {
        happens(`${name} is ready`)
      }
    },
  )

test('a program is announced before it is built, and timers have their turn before it is planned and before it is loaded', () =>
  onCpu(async (device) => {
    const made = load(watched(device))('sum', () => {
      happens('built')
      return program({ inputs: { x: f32('i') }, body: ({ x }) => ({ outputs: { y: add(x, 1) } }) })
    })
    events = []
    const loaded = right(await made())
    expect(events.slice(0, 5)).toEqual(['sum begins', 'a turn', 'built', 'a turn', 'loaded'])
    expect(events.at(-1)).toBe('sum is ready')
    expect([...orThrow(await loaded.run({ x: { sizes: [2], data: [1, 2] } })()).y.data]).toEqual([2, 3])
  }))

test('one that cannot be planned is ready, too: nothing is announced for ever', () =>
  onCpu(async (device) => {
    const made = await load(watched(device))('wrong', () =>
      program({ inputs: { x: f32({ i: 2 }), y: f32({ i: 3 }) }, body: ({ x, y }) => ({ outputs: { z: add(x, y) } }) }),
    )()
    expect(E.isLeft(made) && made.left).toMatchObject({ tag: 'notPlanned', program: 'wrong' })
    expect(events.filter((what) => what !== 'a turn')).toEqual(['wrong begins', 'wrong is ready'])
  }))

test('each program of a step of MemPO is announced, and there is a turn before and within each', () =>
  onCpu(async (device) => {
    const config = { vocab: task.vocabulary.length, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 4 }
    const respond = right(await loadRespond(watched(device))(config)())
    right(await loadReinforcement(watched(device), config, respond)(task, orThrow(recipeOf('mempo', {})), base)())
    const begun = events.flatMap((what) => /(.*) begins/.exec(what)?.[1] ?? [])
    expect(begun).toEqual(['reading', 'taking', 'advantages', 'scoring', 'memory', 'mempo'])
    for (const name of begun) {
      const within = events.slice(events.indexOf(`${name} begins`), events.indexOf(`${name} is ready`))
      expect(within).toEqual([`${name} begins`, 'a turn', 'loaded', ...within.slice(3)])
      expect(within.slice(3).every((what) => what === 'a turn')).toBe(true)
    }
  }))
