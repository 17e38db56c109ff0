import { report } from '../dsl/report.js'

/** The oldest Node that has what is needed: WebAssembly threads that can be waited for, and the methods of ES2023. */
const oldest = 20

/** What to say to a Node that is too old, which must be said before anything else is loaded. */
export const oldNode = (version: string): string | undefined =>
  Number(version.split('.')[0]) >= oldest
    ? undefined
    : report(
        `axgrad on Node ${version}`,
        `it needs Node ${String(oldest)} or newer`,
        `install a newer one, as by \`nvm install ${String(oldest)}\``,
      )
