import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { renderAcquireError, renderRunError } from '../../backends/index.js'
import { openCpu } from '../../backends/cpu/index.js'
import { oldNode } from '../../cli/old-node.js'
import { plan } from '../../compiler/index.js'
import { f32, type GivenFor, program, sum } from '../../dsl/index.js'
import { right } from '../right.js'
import { folder } from '../training/run/folders.js'
import { axgrad } from './axgrad.js'

const here = folder()

const inputs = `{ logProbs: f32('batch', 'time'), advantages: f32('batch'), responseMask: bool('batch', 'time') }`

/** A file of a loss with this body. */
const fileOf = (name: string, body: string): string => {
  const file = join(here, `${name}.ts`)
  writeFileSync(
    file,
    `import { pipe } from 'fp-ts/lib/function.js'
import { bool, defineLoss, f32, mean, mul, neg, sum } from '../../dsl/index.js'
export const loss = defineLoss({ name: '${name}', inputs: ${inputs}, loss: ({ logProbs, advantages }) => ${body} })
`,
  )
  return file
}

/** What a command says of a mistake, without what is another in each test. */
const said = async (...args: readonly string[]): Promise<string> => {
  const { out, err } = await axgrad(...args)
  return `${out}${err}`.replaceAll(`${here}/`, '').replace(/\.ts:\d+:\d+/g, '.ts:LINE')
}

const total = program({ inputs: { x: f32('i') }, body: ({ x }) => ({ outputs: { total: sum('i')(x) } }) })

const runWith = async (given: object): Promise<string> => {
  const device = openCpu({ threads: 1 })
  const made = await right(await device.load(right(plan(total)))()).run(given as GivenFor<{ readonly x: unknown }> as never)()
  await device.release()
  return E.isLeft(made) ? made.left.map(renderRunError).join('\n') : 'no mistake was found'
}

// `npx vitest run test/cli/mistakes --update` writes the golden file anew: read what it says.
test('the ten commonest mistakes of a newcomer each end in a message that says what to do', async () => {
  const vector = fileOf('vector', `neg(mul(logProbs, advantages)) as never`)
  const mistakes: Readonly<Record<string, string>> = {
    'a wrong axis': await said('check', fileOf('wrong-axis', `pipe(mul(logProbs, advantages), sum('batch', 'tme' as 'time'))`)),
    'a missing input': await runWith({}),
    'forgetting a mask': await said(
      'check',
      fileOf('no-mask', `pipe(mul(logProbs, advantages), mean('batch', 'time'), neg)`),
      '--runs',
      '10',
    ),
    'an array of the wrong length': await runWith({ x: { sizes: [3], data: [1, 2] } }),
    'a loss that returns a vector': await said('check', vector),
    'training with a broken loss': await said('train', '--loss', vector),
    'no GPU': renderAcquireError({ tag: 'noAdapter', path: 'the system', cause: 'there is no driver' }),
    'an old Node': oldNode('18.20.4') ?? '',
    'a typo in a flag': await said('train', '--quik'),
    'running from another folder': await said('check', 'losses/mine.ts'),
  }
  expect(Object.keys(mistakes)).toHaveLength(10)
  expect(oldNode('20.0.0')).toBeUndefined()
  const golden = Object.entries(mistakes).map(([mistake, text]) => `${mistake}\n\n${text.trimEnd().replace(/^(?=.)/gm, '    ')}\n`)
  await expect(golden.join('\n')).toMatchFileSnapshot('mistakes.golden.txt')
}, 240_000)
