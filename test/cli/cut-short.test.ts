import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../training/run/folders.js'
import { axgradAlone } from './axgrad.js'

const here = folder()

test.each([
  ['exits.ts', 'process.exit(0)'],
  ['waits.mts', 'await new Promise(() => undefined)'],
])('a file that ends the process, or never its loading, is a fault: %s', async (name, text) => {
  const file = join(here, name)
  writeFileSync(file, `${text}\nexport const one = 1\n`)
  for (const command of ['check', 'inspect'])
    expect(await axgradAlone(command, file)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        new RegExp(
          `^(Warning: .*\\n.*\\n\\n)?axgrad ${command} .*${name}\\n {2}because: the process ended before .*\\n {2}try: look in that file .*\\n$`,
        ),
      ) as string,
    })
})
