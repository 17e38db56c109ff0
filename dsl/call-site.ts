/** A line in somebody's source. */
export interface CallSite {
  readonly file: string
  readonly line: number
  readonly column: number
}

const unknown: CallSite = { file: '(unknown)', line: 0, column: 0 }

/** In place of a line: what the language does of itself, whoever wrote the line. */
export const ofLanguage: CallSite = { file: '(language)', line: 0, column: 0 }

export const isOfLanguage = ({ file }: CallSite): boolean => file === ofLanguage.file

const libraryFolders = ['dsl', 'autodiff', 'compiler', 'backends', 'algorithms', 'models', 'training', 'verify', 'cli']

const withoutScheme = (file: string): string => file.replace(/^file:\/\//, '').replace(/\?.*$/, '')

/** The folder that holds `dsl/`: of the sources, or of `dist/`. */
const root = withoutScheme(import.meta.url).replace(/dsl\/call-site\.[jt]s$/, '')

const parseFrame = (line: string): CallSite | undefined => {
  const found = /(?:\(|at )((?:file:\/\/|\/|[A-Za-z]:)[^()]*):(\d+):(\d+)\)?$/.exec(line)
  return found === null ? undefined : { file: withoutScheme(found[1] ?? ''), line: Number(found[2]), column: Number(found[3]) }
}

/** A frame of a package that calls back, such as fp-ts's `pipe`. */
const isOfPackage = ({ file }: CallSite): boolean => file.slice(file.startsWith(root) ? root.length : 0).includes('node_modules/')

const frames = (): readonly CallSite[] => {
  const previous = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const { stack } = new Error()
  Error.stackTraceLimit = previous
  return (stack ?? '')
    .split('\n')
    .map(parseFrame)
    .filter((frame): frame is CallSite => frame !== undefined && !isOfPackage(frame))
}

const within =
  (folders: readonly string[]) =>
  (site: CallSite): boolean =>
    folders.some((folder) => site.file.startsWith(`${root}${folder}/`))

/** The line of the user's that is being run: the innermost frame outside the library. Captured only where a node is found bad. */
export const userCallSite = (): CallSite => {
  const all = frames()
  return all.find((site) => !within(libraryFolders)(site)) ?? all.find((site) => !within(['dsl'])(site)) ?? unknown
}

/** The line that used the language: the innermost frame outside `dsl/`, which may be a loss of the library. */
export const languageCallSite = (): CallSite => frames().find((site) => !within(['dsl', 'autodiff'])(site)) ?? unknown

/** `policy.ts:63:15`, the path relative to the working folder. */
export const showCallSite = ({ file, line, column }: CallSite): string => {
  const process = (globalThis as { readonly process?: { readonly cwd?: () => string } }).process
  const here = `${process?.cwd?.() ?? ''}/`
  return `${file.startsWith(here) ? file.slice(here.length) : file}:${String(line)}:${String(column)}`
}
