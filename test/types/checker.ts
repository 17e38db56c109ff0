import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, (path) => readFileSync(path, 'utf8')).config,
  ts.sys,
  root,
)

/** TypeScript's view of some sources of the user's, by name, that lie beside the library's folders. */
const programOf = (sources: Readonly<Record<string, string>>): ts.Program => {
  const host = ts.createCompilerHost(options)
  const paths = new Map(Object.entries(sources).map(([name, text]) => [`${root}${name}`, text]))
  return ts.createProgram(
    [...paths.keys()],
    { ...options, types: [], noUnusedLocals: false },
    {
      ...host,
      fileExists: (path) => paths.has(path) || host.fileExists(path),
      readFile: (path) => paths.get(path) ?? host.readFile(path),
      getSourceFile: (path, ...rest) => {
        const text = paths.get(path)
        return text === undefined ? host.getSourceFile(path, ...rest) : ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)
      },
    },
  )
}

/** What tsc says of each source. */
export const messagesFor = (sources: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> => {
  const program = programOf(sources)
  const messages = (name: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(`${root}${name}`))
      .map(({ code, messageText }) => `TS${String(code)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  return Object.fromEntries(Object.keys(sources).map((name) => [name, messages(name)]))
}

/** How many types tsc makes to check a source that has no errors. */
export const instantiationsFor = (source: string): number => {
  const program = programOf({ 'counted.ts': source })
  const errors = program.getSemanticDiagnostics(program.getSourceFile(`${root}counted.ts`))
  if (errors.length > 0) throw new Error(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'))
  return (program as unknown as { readonly getInstantiationCount: () => number }).getInstantiationCount()
}
