import { expect, test } from 'vitest'
import { chromeTrace, type Profile, profileTable, reached } from '../../backends/index.js'

const profile: Profile = {
  device: 'cpu 1',
  outputs: {},
  peak: { flops: 1e9, bytes: 1e8 },
  commands: [
    { kernel: 'contract_0', makes: ['contract(k) f32[row: row]'], begin: 0, seconds: 0.002, bytes: 1000, flops: 1e6 },
    { kernel: 'sum_1', makes: ['sum(row) f32[]', 'neg f32[]'], begin: 0.002, seconds: 0.001, bytes: 25_000, flops: 10 },
    { kernel: 'copy', makes: [], begin: 0, seconds: 0, bytes: 0, flops: 0 },
  ],
}

test('as a table', () => {
  expect(profileTable(profile)).toMatchInlineSnapshot(`
    "cpu 1: at most 1.0 GFLOP/s and 0.1 GB/s
       ms  % of time  GFLOP/s  GB/s  % of roofline  kernel      makes
    2.000       66.7     0.50  0.00           50.0  contract_0  contract(k) f32[row: row]
    1.000       33.3     0.00  0.03           25.0  sum_1       sum(row) f32[], neg f32[]
    0.000        0.0     0.00  0.00            0.0  copy
    3.000      100.0     0.33  0.01           33.3  3 commands"
  `)
})

test('the roofline is the slower of arithmetic and memory', () => {
  expect(profile.commands.map((command) => reached(command, profile.peak))).toEqual([0.5, 0.25, 0])
})

test('as a trace that Chrome opens', () => {
  const trace = chromeTrace(profile)
  expect(JSON.parse(JSON.stringify(trace))).toEqual(trace)
  expect(trace.traceEvents.slice(0, 2)).toMatchInlineSnapshot(`
    [
      {
        "args": {
          "name": "cpu 1",
        },
        "name": "process_name",
        "ph": "M",
        "pid": 1,
        "tid": 1,
      },
      {
        "args": {
          "bytes": 1000,
          "flops": 1000000,
          "makes": [
            "contract(k) f32[row: row]",
          ],
          "roofline": 0.5,
        },
        "dur": 2000,
        "name": "contract_0",
        "ph": "X",
        "pid": 1,
        "tid": 1,
        "ts": 0,
      },
    ]
  `)
})
