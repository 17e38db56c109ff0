import { expect, test } from 'vitest'
import { report } from '../../bench/peers/report/report.js'
import type { Results, Rung, Timed } from '../../bench/peers/results.js'

const timed = (of: Partial<Timed> & Pick<Timed, 'workload' | 'contender' | 'times'>): Timed => ({
  ...{ tag: 'timed', group: 'cpu', camp: 'ours', facts: { threads: '2' }, counts: {} },
  first: { ms: 250, deviation: { of: 'c', part: 2e-6 } },
  bytes: { ready: 2 ** 27, peak: 2 ** 28 },
  resized: { ms: 20, deviation: { of: 'c', part: 1e-6 } },
  ...of,
})

const ours = {
  contender: 'axgrad-cpu',
  counts: { kernels: 2, dispatches: 65, bytes: 2 ** 21, arena: 2 ** 20, needed: 2 ** 20, peakFlops: 1e11 },
}
const peer = { contender: 'peer', camp: 'javascript' } as const
const torch = { contender: 'torch', camp: 'native' } as const

const rung = (size: number): Rung => ({
  ...{ ladder: 'batch', contender: 'axgrad-cpu', size, times: [size ** 1.1], peakBytes: 2 ** 28 },
  counts: { arena: size * 2 ** 20, needed: size * 2 ** 20 },
})

const results: Results = {
  machine: { processor: 'a processor', cores: 2, memoryBytes: 24 * 2 ** 30, node: 'v20.0.0', load: [0, 2] },
  results: [
    timed({ workload: 'W1a', times: [2, 2, 3], ...ours }),
    timed({ workload: 'W1a', times: [9, 8, 10], ...peer }),
    timed({ workload: 'W1a', times: [1], resized: 'it broke', ...torch }),
    timed({ workload: 'chain', times: [0.065], ...ours }),
    timed({ workload: 'chain', times: [0.13], ...peer }),
    { tag: 'failed', workload: 'W1a', group: 'webgpu', camp: 'javascript', contender: 'peer-webgpu', because: 'there is no adapter' },
    timed({ workload: 'W1a', times: [40], ...ours, group: 'webgpu', contender: 'axgrad-webgpu' }),
  ],
  growth: [rung(8), rung(16), rung(32)],
}

test('a report says of each what was measured, and why something was not', async () => {
  await expect(report(results)).toMatchFileSnapshot('report.golden.txt')
})
