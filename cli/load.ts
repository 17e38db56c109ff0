import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { tsImport } from 'tsx/esm/api'
import { catalogue } from '../algorithms/index.js'
import type { Loss } from '../dsl/index.js'
import type { CommandError } from './errors.js'

/** Any loss: its inputs are a tree of specs that only the run knows. */
export type AnyLoss = Loss<unknown>

type Module = Readonly<Record<string, unknown>>

/** By shape: the user's copy of the library need not be the command's. */
const isLoss = (value: unknown): value is AnyLoss =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'inputs' in value &&
  typeof value.inputs === 'object' &&
  value.inputs !== null &&
  'loss' in value &&
  typeof value.loss === 'function'

const isModule = (value: unknown): value is Module => typeof value === 'object' && value !== null

/** What a module exports; a CommonJS one has it all in its default. */
const exportsOf = (module: Module): Module => {
  const inner = module['default']
  return isModule(inner) && !isLoss(inner) ? { ...inner, ...module } : module
}

/** What is made of a loss, whose own function may throw. */
export const tracing = <A>({ name }: AnyLoss, make: () => A): E.Either<CommandError, A> =>
  E.tryCatch(make, (error) => ({ tag: 'lossThrows', name, message: E.toError(error).message }))

const firstLine = (message: string): string => message.split('\n').find((line) => line.trim() !== '') ?? message

const isCompileError = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Error && (error.name === 'TransformError' || error.message.startsWith('Transform failed')))

/** esbuild puts a summary before the line that says where. */
const compileMessage = (error: unknown): string => firstLine(E.toError(error).message.replace(/^Transform failed with .*:\n/, ''))

/** What a file of a user exports. */
export const importFile = (file: string): TE.TaskEither<CommandError, Module> =>
  TE.tryCatch(
    async () => (await tsImport(pathToFileURL(resolve(file)).href, import.meta.url)) as Module,
    (error): CommandError =>
      isCompileError(error)
        ? { tag: 'doesNotCompile', file, message: compileMessage(error) }
        : { tag: 'doesNotLoad', file, message: firstLine(E.toError(error).message) },
  )

const chosen =
  (file: string, only: string | undefined) =>
  (module: Module): E.Either<CommandError, readonly AnyLoss[]> => {
    const exported = exportsOf(module)
    const losses = [...new Set(Object.values(exported).filter(isLoss))]
    const named = losses.filter(({ name }) => only === undefined || name === only)
    if (losses.length === 0) return E.left({ tag: 'noLoss', file, exports: Object.keys(exported) })
    if (named.length === 0) return E.left({ tag: 'noSuchLoss', file, name: only ?? '', has: losses.map(({ name }) => name) })
    return E.right(named)
  }

const ofLibrary = (name: string): AnyLoss | undefined => Object.values(catalogue).find(({ loss }) => loss.name === name)?.loss

/** The losses that a file exports, of any name or as its default; or the one called `only`. Where there is no such file, the library's loss of that name. */
export const loadLosses = (file: string, only?: string): TE.TaskEither<CommandError, readonly AnyLoss[]> => {
  if (existsSync(file)) return pipe(importFile(file), TE.flatMapEither(chosen(file, only)))
  const own = ofLibrary(file)
  return own === undefined ? TE.left({ tag: 'fileNotFound', file }) : TE.right([own])
}
