import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { afterAll, expect, test } from 'vitest'
import { renderCommandError } from '../../cli/errors.js'
import { renderRunCommandError } from '../../cli/run/error.js'
import { deviceFor } from '../../cli/run/device.js'
import { readScheduleFile, type ScheduleFile, schedulesOf, scheduleText } from '../../cli/schedule-file.js'
import { usualSchedules } from '../../backends/webgpu/index.js'
import { right } from '../right.js'
import { axgrad } from './axgrad.js'

const folder = mkdtempSync(join(tmpdir(), 'axgrad-tune-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const file = join(folder, 'schedules.json')

const tuned: ScheduleFile = {
  deviceClass: 'software',
  adapter: 'an adapter that is nowhere',
  tiling: { tile: { outer: 4, inner: 8 }, whole: { outer: 8, inner: 8 } },
  rowLanes: 64,
}

test('what is written is read, and stands in place of what is usual for its class, whose schedule is otherwise as usual', async () => {
  writeFileSync(file, scheduleText(tuned))
  const read = right(await readScheduleFile(file)())
  expect(read).toEqual(tuned)
  expect(schedulesOf(read)).toEqual({ software: { tiling: tuned.tiling, rowLanes: 64, keeps: true }, hardware: usualSchedules.hardware })
})

test.each([
  ['is no JSON', '{', /Expected property name/],
  ['has a side that is none', JSON.stringify({ ...tuned, tiling: { tile: { outer: 0, inner: 4 } } }), /'tiling\.tile\.outer': Too small/],
  ['has lanes that are no power of two', JSON.stringify({ ...tuned, rowLanes: 48 }), /'rowLanes': /],
  ['has more than there is', JSON.stringify({ ...tuned, sides: 4 }), /the whole: Unrecognized key: "sides"/],
])('a file that %s is refused in three lines', async (_, text, because) => {
  writeFileSync(file, text)
  const read = await readScheduleFile(file)()
  const lines = (E.isLeft(read) ? renderCommandError(read.left) : '').split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe(`--schedules ${file}`)
  expect(lines[1]).toMatch(because)
  expect(lines[2]).toBe(`  try: write it anew with \`axgrad tune --out ${file}\``)
})

test('schedules of another adapter are refused, and the device released', async () => {
  writeFileSync(file, scheduleText(tuned))
  const opened = await deviceFor({ device: 'cpu', strict: false, precision: 'f32', threads: 1 }, file)()
  const lines = E.isLeft(opened) ? opened.left.map(renderRunCommandError).join('\n').split('\n') : []
  expect(lines[1]).toMatch(/^ {2}because: it was measured on an adapter that is nowhere, and this runs on /)
  expect(lines).toHaveLength(3)
})

test('a run whose schedules are not there does not begin', async () => {
  const missing = join(folder, 'missing.json')
  const { code, out, err } = await axgrad('train', '--task', 'recall', '--quick', '--schedules', missing, '--out', join(folder, 'run'))
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^--schedules .*missing\.json\n {2}because: ENOENT/)
})
