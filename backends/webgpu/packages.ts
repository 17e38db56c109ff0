import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { AcquireError } from './acquire-error.js'

/** The versions that the tests run with. `webgpu` is Dawn; `@sparticuz/chromium` carries SwiftShader. Both are optional. */
export const tested = { webgpu: '0.6.2', '@sparticuz/chromium': '143.0.4' } as const

export type PackageName = keyof typeof tested

/** An installed npm package. */
export interface Package {
  readonly name: PackageName
  readonly version: string
  readonly folder: string
  /** The file that `import` of the package loads. */
  readonly entry: string
}

export type Locate = (name: PackageName) => O.Option<Package>

export const needed =
  (locate: Locate) =>
  (name: PackageName): E.Either<AcquireError, Package> =>
    E.fromOption((): AcquireError => ({ tag: 'packageAbsent', package: name, tested: tested[name] }))(locate(name))

// Beside axgrad first; then in the user's project, for what axgrad itself does not depend on (a linked or global axgrad does not see it).
const resolvers = [createRequire(import.meta.url), createRequire(join(process.cwd(), 'package.json'))]

export const locate: Locate = (name) =>
  pipe(
    resolvers,
    RA.findFirstMap((require) => O.tryCatch(() => require.resolve(name))),
    O.chain((entry) => packageAround(name, entry, dirname(entry))),
  )

// `require.resolve('<name>/package.json')` is refused by packages whose `exports` do not list it, so look above the entry.
const packageAround = (name: PackageName, entry: string, folder: string): O.Option<Package> => {
  const manifest = readManifest(join(folder, 'package.json'))
  if (manifest.name === name && manifest.version !== undefined) return O.some({ name, version: manifest.version, folder, entry })
  const parent = dirname(folder)
  return parent === folder ? O.none : packageAround(name, entry, parent)
}

interface Manifest {
  readonly name?: string
  readonly version?: string
}

const readManifest = (path: string): Manifest => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {})
