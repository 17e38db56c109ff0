import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { noticesOf } from '../../../cli/report/notices.js'
import { reportOf } from '../../../cli/report/report.js'
import { law } from '../../law.js'
import { episode, finished } from './contents.js'
import { all, dangers, pageOf } from './page.js'

const hostile = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</style><script>1</script>',
    '</pre><iframe>',
    '<!--',
    '&lt;',
    ']]>',
    '${x}',
  ),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
)

/** As a page may write it: what HTML cannot hold is a sign of its own, and white space is of one kind. */
const shown = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim()

const number = fc.oneof(fc.double(), fc.constantFrom('NaN', 'Infinity', '-Infinity', null, 1e308, -1e308, 5e-324))

describe('reportOf', () => {
  law(
    'what stands in a folder is text on the page, whatever it is',
    fc.property(hostile, hostile, hostile, (word, kind, name) => {
      const told = { ...finished.told, axgrad: name, config: { task: { name }, reinforcement: { algorithm: name, [name]: name } } }
      const transcripts = [
        ['000001.txt', word],
        ['000002.jsonl', `${JSON.stringify(episode(word, kind))}\n`],
      ] as const
      const page = pageOf(reportOf({ ...finished, told, folder: name, metrics: undefined, transcripts, faults: [name] }))
      expect(dangers(page)).toEqual([])
      expect(all(page, 'article mark').map(({ textContent }) => shown(textContent))).toContain(shown(word))
      expect(all(page, '.kind em').map(({ textContent }) => shown(textContent))).toContain(shown(kind))
    }),
  )

  law(
    'no file is so broken that there is no report',
    fc.property(fc.string(), fc.array(fc.json()), fc.array(fc.json()), (text, metrics, transcript) => {
      const broken = {
        ...finished,
        metrics: [text, ...metrics].join('\n'),
        timing: text,
        transcripts: [['1.jsonl', transcript.join('\n')]] as const,
      }
      expect(reportOf(broken)).toContain('</html>')
    }),
  )

  law(
    'a file cut anywhere loses at most the line that was cut',
    fc.property(fc.nat(finished.metrics?.length ?? 0), (length) => {
      const notices = noticesOf({ ...finished, metrics: finished.metrics?.slice(0, length) })
      const lost = notices.flatMap(({ html }) => /(\d+) of the lines/.exec(html)?.[1] ?? [])
      expect(['', '1']).toContain(lost.join())
    }),
  )

  law(
    'no number spoils a chart',
    fc.property(fc.array(fc.record({ mean: number, std: number }), { minLength: 1, maxLength: 5 }), (steps) => {
      const metrics = steps.map(({ mean, std }, i) =>
        JSON.stringify({ step: i + 1, stage: 'reinforcement', reward: { mean }, groups: { std }, update: { numbers: { refKl: mean } } }),
      )
      for (const { outerHTML } of all(pageOf(reportOf({ ...finished, metrics: metrics.join('\n') })), 'figure svg'))
        expect(outerHTML).not.toMatch(/NaN|undefined|Infinity/)
    }),
    { runs: 20 },
  )
})
