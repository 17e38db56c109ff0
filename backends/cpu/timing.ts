import type { Span } from '../profile.js'
import type { Carry } from './execute.js'
import { head } from './wasm/emit/run.js'

/** Goes through a list command by command, and says of each when it began and how long it took. What is one chunk is done by this thread alone, as in a run. */
export const timing = (told: (span: Span) => void): Carry => {
  return async ({ run, list, scratch, together }) => {
    const { plan, compiled, prepared, memory, team, threads } = run
    const start = performance.now()
    for (let i = 0; i < plan.commands.length; i++) {
      const shared = together && (prepared.chunks[i]?.chunks ?? 1) > 1
      memory.write(list + 4 * head.threads, new Uint8Array(Int32Array.of(shared ? threads : 1).buffer))
      const began = performance.now()
      const died = shared ? await team.run(compiled.module, { list, scratch, first: i, last: i + 1 }) : undefined
      if (!shared) compiled.run(list, scratch(0), i, i + 1)
      if (died !== undefined) return died
      told({ begin: (began - start) / 1000, seconds: (performance.now() - began) / 1000 })
    }
    return undefined
  }
}
