import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import type { Device } from '../../backends/index.js'
import { openCpu } from '../../backends/cpu/index.js'
import { type Finding, renderFinding } from '../../cli/doctor.js'
import { selfTest } from '../../cli/self-test.js'
import type { HostTensor } from '../../dsl/index.js'
import { axgrad } from './axgrad.js'

const tests = ['functions', 'reductions', 'softmax', 'products', 'gather', 'scatter', 'order', 'recurrence']

test('axgrad doctor finds the software adapter and the CPU, and their numbers right', async () => {
  const { code, out } = await axgrad('doctor', '--json')

  expect(code).toBe(0)
  const findings = JSON.parse(out) as readonly Finding[]
  expect(findings.map(({ backend }) => backend)).toEqual(['webgpu', 'software', 'cpu'])
  for (const finding of findings.slice(1)) {
    if (finding.status === 'absent') throw new Error(renderFinding(finding))
    expect(finding.status).toBe('ready')
    expect(finding.tests.map(({ name, passed }) => [name, passed])).toEqual(tests.map((name) => [name, true]))
    expect(renderFinding(finding)).toMatch(/^\w+: ready\n {2}adapter {3}\S.*\n {2}features {2}\S/)
  }
})

test('what is absent says what was tried, why it failed and what to do', () => {
  const error = { tag: 'packageAbsent', package: 'webgpu', tested: '0.6.2' } as const
  expect(renderFinding({ backend: 'webgpu', status: 'absent', error })).toBe(
    [
      'webgpu: absent',
      "  the npm package 'webgpu'",
      '    because: it is installed neither beside axgrad nor in this project',
      '    try: npm install webgpu@0.6.2',
    ].join('\n'),
  )
})

/** The CPU, with something done to all that it makes. */
const spoilt = (cpu: Device, spoil: (made: HostTensor) => HostTensor): Device => ({
  ...cpu,
  load: (plan) => async () => {
    const loaded = await cpu.load(plan)()
    return loaded._tag === 'Left'
      ? loaded
      : {
          ...loaded,
          right: { ...loaded.right, run: (inputs) => TE.map((made) => spoil(made as HostTensor) as never)(loaded.right.run(inputs)) },
        }
  },
})

test.each([
  ['one number is off by a ten-thousandth', (data: number[]) => data.map((x, i) => (i === 3 ? x + 1e-4 : x))],
  ['one is NaN', (data: number[]) => data.map((x, i) => (i === 0 ? NaN : x))],
  ['one is missing', (data: number[]) => data.slice(1)],
])('a device fails where %s', async (_what, spoil) => {
  const cpu = openCpu()
  const found = await selfTest(spoilt(cpu, (made) => ({ ...made, data: spoil([...made.data]) })))
  await cpu.release()
  expect(found.map(({ name, passed }) => [name, passed])).toEqual(tests.map((name) => [name, false]))
})

test('a device that refuses says why', async () => {
  const cpu = openCpu()
  await cpu.release()
  const [first] = await selfTest(cpu)
  expect(first).toMatchObject({ passed: false, because: expect.stringContaining('the device has been released') as string })
})
