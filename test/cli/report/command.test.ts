import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder } from '../../training/run/folders.js'
import { axgrad } from '../axgrad.js'
import { finished } from './contents.js'

const written = (config: unknown): string => {
  const run = folder()
  mkdirSync(join(run, 'transcripts'))
  writeFileSync(join(run, 'config.json'), JSON.stringify(config))
  writeFileSync(join(run, 'metrics.jsonl'), finished.metrics ?? '')
  for (const [name, text] of finished.transcripts) writeFileSync(join(run, 'transcripts', name), text)
  return run
}

describe('axgrad report', () => {
  test('draws the run of a folder into it, and says where', async () => {
    const run = written(finished.told)
    expect(await axgrad('report', run)).toEqual({ code: 0, out: `${join(run, 'report.html')}\n`, err: '' })
    const page = readFileSync(join(run, 'report.html'), 'utf8')
    for (const said of ['recall by mempo', 'late', 'There is no timing.jsonl']) expect(page).toContain(said)
  })

  test('draws it into another file when asked, and leaves nothing beside it', async () => {
    const [run, other] = [written(finished.told), folder()]
    expect((await axgrad('report', run, '--out', join(other, 'mine.html'))).code).toBe(0)
    expect(readdirSync(other)).toEqual(['mine.html'])
    expect(existsSync(join(run, 'report.html'))).toBe(false)
  })

  test.each([
    ['a folder that is not there', () => join(folder(), 'none'), 'no such file or directory'],
    ['a folder of another kind', () => written({ architectures: [] }), 'its config.json is not that of a run'],
  ])('%s is refused in three lines', async (_, where, because) => {
    const { code, out, err } = await axgrad('report', where())
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.trimEnd().split('\n')).toHaveLength(3)
    expect(err).toContain(because)
  })

  test('a place that cannot be written is an error, in three lines', async () => {
    const { code, err } = await axgrad('report', written(finished.told), '--out', join(folder(), 'none', 'mine.html'))
    expect(code).toBe(2)
    expect(err).toMatch(/^writing .*mine\.html\n {2}because: ENOENT.*\n {2}try: /)
  })
})
