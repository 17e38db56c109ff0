import { describe, expect, test } from 'vitest'
import { reportOf } from '../../../cli/report/report.js'
import { svgElements } from '../../svg.js'
import { episode, finished, judged } from './contents.js'
import { all, pageOf } from './page.js'

const page = pageOf(reportOf(finished))

const texts = (selector: string): readonly string[] => all(page, selector).map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())

describe('the report of a finished run', () => {
  test('says what was run, on what, and what came of it', () => {
    expect(texts('h1')).toEqual(['recall by mempo'])
    expect(texts('.headline b')).toEqual(['0.200 → 0.600', '4', '2'])
    expect(texts('.notice')).toEqual([])
    expect(texts('.settings dd')).toEqual(expect.arrayContaining(['0.1.0', 'WebAssembly', 'mempo', 'steps 2']))
  })

  test('compares before with after, and a change of more than two standard errors is bold', () => {
    expect(texts('thead th')).toEqual(['', '', 'before', 'after', 'oracle', 'change'])
    expect(texts('tbody tr').map((row) => row.replaceAll(' ', ''))).toEqual([
      'rewardgreedy0.200±0.0200.600±0.0201.000±0.000+0.400',
      'sampled0.100±0.0300.300±0.030+0.200',
    ])
    expect(texts('tbody b')).toEqual(['+0.400', '+0.200'])
  })

  test('counts no warm start of a policy that began as a checkpoint has it', () => {
    const config = { init: 'warm-start', supervised: { stages: [{ steps: 5500 }] }, reinforcement: { algorithm: 'mempo', steps: 6 } }
    expect(all(pageOf(reportOf({ ...finished, told: { config } })), '.notice')).toEqual([])
  })

  test('has a chart of everything that was measured, and none of what was not', () => {
    const titles = texts('figure h3')
    for (const title of [
      'Reward',
      'KL to the reference nats a token',
      'What a memory is worth probability',
      'Loss of the warm start nats a token',
    ])
      expect(titles).toContain(title)
    expect(titles.some((title) => title.startsWith('Clip fraction'))).toBe(false)
    const curves = all(page, 'figure svg')
    expect(curves).toHaveLength(titles.length)
    for (const { outerHTML } of curves) {
      const paths = svgElements(outerHTML).filter(({ name }) => name === 'path')
      expect(paths.length).toBeGreaterThan(0)
      expect(outerHTML).not.toMatch(/NaN|undefined|Infinity/)
    }
  })

  test('what never changes is a line, not a chart', () => {
    expect(texts('.figures + p')[0]).toMatch(/^The same at each step: .*turns 2/)
  })

  test('shows the newest episodes first, each word coloured by its advantage', () => {
    expect(texts('summary').slice(0, 2)).toEqual(['step 6', 'step 4'])
    const words = all(page, 'article mark').map(({ textContent, attributes }) => [
      textContent,
      ...[...attributes].map(({ value }) => value),
    ])
    expect(words).toEqual([
      ['late', 'background:rgba(66,105,208,0.38)', 'advantage +1.00'],
      ['wrong', 'background:rgba(232,135,26,0.75)', 'advantage −2.00'],
      ['early', 'background:rgba(66,105,208,0.38)', 'advantage +1.00'],
    ])
    expect(texts('.kind em')).toEqual(['memory', 'answer', 'memory'])
    expect(texts('.tag-info')[0]).toBe('<info> late </info>')
  })

  test('adds up where the time went', () => {
    expect(texts('.shares li')).toEqual([
      'warm start 3.0 s 33 %',
      'rollout: answers are drawn 2.0 s 22 %',
      'prepare: they are scored and compared 1.0 s 11 %',
      'update: gradients and AdamW 2.0 s 22 %',
      'other 1.0 s 11 %',
    ])
  })

  test('a model of rewards has charts, a time and settings of its own', () => {
    const { told, metrics = '', timing = '' } = finished
    const config = { ...(told['config'] as object), init: 'random', rewardModel: { steps: 2, weight: 0.5 } }
    const made = pageOf(
      reportOf({ ...finished, told: { ...told, config }, metrics: metrics + judged.metrics, timing: timing + judged.timing }),
    )
    const said = (selector: string) => all(made, selector).map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())
    expect(said('h2')).toContain('Reward model, by step')
    expect(said('figure h3')).toEqual(expect.arrayContaining(['Loss of the reward model nats a pair', 'Pairs judged right of pairs']))
    expect(said('.shares li')).toEqual(expect.arrayContaining(['warm start 3.0 s 32 %', 'reward model 0.5 s 5 %']))
    expect(said('.settings dd')).toEqual(expect.arrayContaining(['random', '0.5']))
  })

  test('repeats each kind of warning once', () => {
    expect(texts('.warnings li')).toHaveLength(1)
    expect(texts('.warnings li')[0]).toMatch(/25 % are valid, less than 50 %.*at 4 of 4 steps/)
  })

  test('is the same each time', () => {
    expect(reportOf(finished)).toBe(reportOf(finished))
  })
})

describe('the report of a run that has lost something says so', () => {
  const notices = (contents: Parameters<typeof reportOf>[0]): string =>
    all(pageOf(reportOf(contents)), '.notice')
      .map(({ textContent }) => textContent)
      .join('\n')

  test.each([
    ['no metrics', { metrics: undefined, timing: undefined }, 'There is no metrics.jsonl in the folder'],
    ['a cut last line', { metrics: finished.metrics?.slice(0, -9) }, '1 of the lines of metrics.jsonl cannot be read'],
    [
      'steps left',
      { metrics: finished.metrics?.split('\n').slice(0, 4).join('\n') },
      'This run is at step 3 of 6; it goes on by: npx axgrad train --resume runs/one',
    ],
    ['a fault', { faults: ['000003.json'] }, 'what it was given is in runs/one/faults/000003.json'],
  ])('%s', (_, lost, said) => {
    expect(notices({ ...finished, ...lost })).toContain(said)
  })

  test('a run that has only begun has a page without numbers', () => {
    const begun = pageOf(reportOf({ ...finished, metrics: undefined, timing: undefined, transcripts: [] }))
    expect(all(begun, 'figure')).toEqual([])
    expect(all(begun, '.absent').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('not been asked'),
        expect.stringContaining('No transcripts'),
        expect.stringContaining('No step'),
      ]),
    )
  })

  test('a line of a transcript that is none', () => {
    const cut = `${JSON.stringify(episode('whole'))}\n{"group":0,"rew`
    const read = pageOf(reportOf({ ...finished, transcripts: [['000006.jsonl', cut]] }))
    expect(all(read, 'article')).toHaveLength(1)
    expect(all(read, 'details .absent').map(({ textContent }) => textContent)).toEqual(['1 of its lines cannot be read.'])
  })
})
