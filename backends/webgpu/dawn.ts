import { pathToFileURL } from 'node:url'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AcquireError } from './acquire-error.js'

/** What `dawn.node`, and the package `webgpu` around it, export. */
interface Dawn {
  readonly create: (options: readonly string[]) => GPU
}

/** An implementation of WebGPU and the library or package it came from. */
export interface Instance {
  readonly path: string
  readonly gpu: GPU
}

/** The clock as exact as the device has it: coarse steps guard web pages against each other. */
const settings = ['disable-dawn-features=timestamp_quantization']

declare global {
  // The process crashes if an instance is collected, and a library wants one instance only. So they are kept, by the path of their library,
  // for the life of the process; in the open, because a process may hold two copies of axgrad.
  var axgradWebgpuInstances: Map<string, GPU> | undefined
}

/** The instance of a `dawn.node`, loaded directly. */
export const instanceOfLibrary = (path: string): TE.TaskEither<AcquireError, Instance> =>
  instanceAt(path, () => Promise.resolve(openLibrary(path)))

/** The instance of an installed package `webgpu`, through its own entry, which mends what `dawn.node` gets wrong. */
export const instanceOfPackage = (entry: string): TE.TaskEither<AcquireError, Instance> =>
  instanceAt(entry, () => import(/* @vite-ignore */ pathToFileURL(entry).href) as Promise<Dawn>)

const openLibrary = (path: string): Dawn => {
  const module = { exports: {} as Dawn }
  process.dlopen(module, path)
  return module.exports
}

const instanceAt = (path: string, open: () => Promise<Dawn>): TE.TaskEither<AcquireError, Instance> =>
  TE.tryCatch(
    async () => {
      const instances = (globalThis.axgradWebgpuInstances ??= new Map<string, GPU>())
      const dawn = await open() // no `await` between the look and the `set` below: two callers may be here at once
      const gpu = instances.get(path) ?? dawn.create(settings)
      instances.set(path, gpu)
      return { path, gpu }
    },
    (cause) => ({ tag: 'libraryNotLoadable', path, cause: String(cause) }),
  )
