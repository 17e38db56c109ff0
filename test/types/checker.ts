import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, (path) => readFileSync(path, 'utf8')).config,
  ts.sys,
  root,
)

const compilerOptions: ts.CompilerOptions = { ...options, types: [], noUnusedLocals: false }
const host = ts.createCompilerHost(compilerOptions)
const resolutions = ts.createModuleResolutionCache(root, (path) => host.getCanonicalFileName(path), compilerOptions)

/** What is on the disk is read once for all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>()

const parse: typeof host.getSourceFile = (path, ...rest) => {
  if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, ...rest))
  return parsed.get(path)
}

/** TypeScript's view of some sources of the user's, by name, that lie beside the library's folders. */
const programOf = (sources: Readonly<Record<string, string>>, types: readonly string[] = []): ts.Program => {
  const paths = new Map(Object.entries(sources).map(([name, text]) => [`${root}${name}`, text]))
  return ts.createProgram(
    [...paths.keys()],
    { ...compilerOptions, types: [...types] },
    {
      ...host,
      fileExists: (path) => paths.has(path) || host.fileExists(path),
      readFile: (path) => paths.get(path) ?? host.readFile(path),
      getModuleResolutionCache: () => resolutions,
      getSourceFile: (path, ...rest) => {
        const text = paths.get(path)
        return text === undefined ? parse(path, ...rest) : ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)
      },
    },
  )
}

/** What tsc says of each source, which knows the globals of some packages of types: of `node` where it prints something. */
export const messagesFor = (
  sources: Readonly<Record<string, string>>,
  types: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> => {
  const program = programOf(sources, types)
  const messages = (name: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(`${root}${name}`))
      .map(({ code, messageText }) => `TS${String(code)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  return Object.fromEntries(Object.keys(sources).map((name) => [name, messages(name)]))
}

/** How many types tsc makes for each source, which must have no errors, one after the other: what it made for one it does not make again. */
export const instantiationsFor = (sources: Readonly<Record<string, string>>): Readonly<Record<string, number>> => {
  const program = programOf(sources) as ts.Program & { readonly getInstantiationCount: () => number }
  const count = (name: string): number => {
    const before = program.getInstantiationCount()
    const errors = program.getSemanticDiagnostics(program.getSourceFile(`${root}${name}`))
    if (errors.length > 0) throw new Error(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'))
    return program.getInstantiationCount() - before
  }
  return Object.fromEntries(Object.keys(sources).map((name) => [name, count(name)]))
}

/** How often a source uses, beside types and `except`, a word that it imports from the library. */
export const wordsUsedIn = (source: string, except: readonly string[]): number => {
  const file = ts.createSourceFile('counted.ts', source, ts.ScriptTarget.ES2023, true)
  const imported = new Set<string>()
  let used = 0
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      if (!ts.isStringLiteral(node.moduleSpecifier) || !node.moduleSpecifier.text.startsWith('axgrad/')) return
      const { namedBindings } = node.importClause ?? {}
      if (namedBindings !== undefined && ts.isNamedImports(namedBindings))
        for (const { name, isTypeOnly } of namedBindings.elements) if (!isTypeOnly && !except.includes(name.text)) imported.add(name.text)
    } else if (ts.isIdentifier(node) && imported.has(node.text)) used += 1
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return used
}
