import { expect, test } from 'vitest'
import { type Plan, plan } from '../../compiler/index.js'
import { drawingProgram, readingProgram } from '../../training/speech-programs.js'
import { right } from '../right.js'
import { config } from './tiny.js'

const layers = (count: number) => ({ ...config, layers: count })

/** How many of a plan's commands compute a sine or a cosine. */
const sinesIn = ({ commands }: Pick<Plan, 'commands'>): number =>
  commands.filter((command) => command.tag === 'dispatch' && command.computes.some((what) => /^(sin|cos)\b/.test(what))).length

const planned = (count: number) => right(plan(readingProgram(layers(count))))

test('the sines of places that are each row’s own are computed once, however many layers read them', () => {
  for (const of of [planned, (count: number) => right(plan(drawingProgram(layers(count), 'greedy')))]) {
    const [one, three] = [sinesIn(of(1)), sinesIn(of(3))]
    expect(one).toBeGreaterThan(0)
    expect(three).toBe(one)
  }
})
