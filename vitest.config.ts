import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))

// RUNS=200 runs every law that many times; SEED=… and SEED=… SHRINK_PATH=… replay one (see test/law.ts).
export default defineConfig({
  resolve: { alias: [{ find: /^axgrad\/(.+)$/, replacement: `${root}$1/index.ts` }] },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks', // Dawn's instance and worker threads live as long as their process
    isolate: false, // a process for each of the two workers, not for each file: half a minute less
    maxWorkers: 2, // vitest leaves a core idle unless told
    testTimeout: 60_000,
  },
})
