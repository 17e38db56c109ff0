import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('axgrad/package.json') as { readonly version: string }

/** What a run is made by. */
export const versions = { axgrad: version, node: process.versions.node } as const
