import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AcquireError } from './acquire-error.js'
import { type Locate, type Package, needed, tested } from './packages.js'
import { fileIn } from './ustar.js'

// Dawn looks for `libvulkan.so.1` in the folder of `dawn.node` first. So a folder with a copy of Dawn and, under that name, the
// SwiftShader driver that a Chromium build ships is a WebGPU implementation in software, without a system package. The driver
// exports Vulkan's entry points itself: no loader in between.

/** Where to look for the packages, and where to put the folder. */
export interface SoftwarePlaces {
  readonly locate: Locate
  readonly cache: string
  /** `${process.platform}-${process.arch}` */
  readonly platform: string
}

interface Parts {
  readonly dawn: string
  readonly archive: string
  readonly folder: string
}

const driverPackage = '@sparticuz/chromium'
const driverInArchive = 'libvk_swiftshader.so'
const supported = ['linux-x64']

/** The path of a `dawn.node` that finds SwiftShader beside it, made on first use. Processes may race: every file appears whole or not at all. */
export const prepareSoftware = (places: SoftwarePlaces): TE.TaskEither<AcquireError, string> =>
  pipe(
    TE.fromEither(partsIn(places)),
    TE.chain((parts) =>
      TE.tryCatch(
        () => fill(parts),
        (cause): AcquireError => ({ tag: 'libraryNotPrepared', folder: parts.folder, cause: String(cause) }),
      ),
    ),
  )

const partsIn = ({ locate, cache, platform }: SoftwarePlaces): E.Either<AcquireError, Parts> =>
  pipe(
    E.Do,
    E.bind('dawn', () => needed(locate)('webgpu')),
    E.bind('driver', () => needed(locate)(driverPackage)),
    E.filterOrElse(
      () => supported.includes(platform),
      (): AcquireError => ({ tag: 'platformUnsupported', package: driverPackage, platform, supported }),
    ),
    E.bind('archive', ({ driver }) => archiveIn(driver)),
    E.map(({ dawn, driver, archive }) => ({
      dawn: join(dawn.folder, 'dist', platform, 'dawn.node'),
      archive,
      folder: join(cache, folderName(dawn, driver, platform)),
    })),
  )

const archiveIn = ({ version, folder }: Package): E.Either<AcquireError, string> => {
  const path = join(folder, 'bin', 'swiftshader.tar.br')
  return existsSync(path)
    ? E.right(path)
    : E.left({ tag: 'driverAbsent', package: driverPackage, version, path, tested: tested[driverPackage] })
}

/** Keyed by everything that its contents depend on, so that nothing in it ever has to be replaced. */
const folderName = (dawn: Package, driver: Package, platform: string): string =>
  `software-webgpu-${dawn.version}-chromium-${driver.version}-${platform}`

const fill = async ({ dawn, archive, folder }: Parts): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await appear(join(folder, 'libvulkan.so.1'), async (path) => writeFile(path, await driverOf(archive)))
  return appear(join(folder, 'dawn.node'), (path) => copyFile(dawn, path))
}

const driverOf = async (archive: string): Promise<Uint8Array> => {
  const driver = fileIn(driverInArchive, await promisify(brotliDecompress)(await readFile(archive)))
  if (O.isNone(driver)) throw new Error(`${archive} has no file ${driverInArchive}`)
  return driver.value
}

/** Make the file at `path` unless it is there: written under a name of its own, then renamed. */
const appear = async (path: string, write: (path: string) => Promise<void>): Promise<string> => {
  if (existsSync(path)) return path
  const temporary = `${path}.${randomUUID()}`
  try {
    await write(temporary)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  return path
}
