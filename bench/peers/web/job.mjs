import { gpuCounts } from './navigator.mjs'

/**
 * A job of a library for pages: what it computes, and how to read what it made. On a GPU its kernels, and the dispatches and submits of one run
 * more, are counted.
 */
export const pageJob = ({ run, outputs, drop, onGpu }) => ({
  run,
  outputs,
  drop,
  counts: async () => {
    if (!onGpu) return {}
    const before = gpuCounts()
    await run()
    const after = gpuCounts()
    return {
      kernels: after.kernels,
      dispatches: after.dispatches - before.dispatches,
      submits: after.submits - before.submits,
    }
  },
})
