import { runIn } from '../toolchain/fixture.js'

const tsconfig = JSON.stringify({
  extends: '../../tsconfig.json',
  compilerOptions: { paths: { 'axgrad/*': ['../../*/index.ts'] }, noUnusedLocals: false },
  include: ['*.ts'],
  exclude: [],
})

/** What TypeScript 7, which has no API, says of each source, as `messagesFor` has it of TypeScript 6. */
export const messagesOfSevenFor = (sources: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> => {
  const { output } = runIn({ ...sources, 'tsconfig.json': tsconfig }, 'node_modules/typescript-7/bin/tsc')
  const found = output.split(/^(?=\S)/m).map((report) => {
    const [, name, message] = /^(.+?)\(\d+,\d+\): error (TS\d+: [^]*)$/.exec(report.trimEnd()) ?? []
    if (name === undefined || message === undefined || sources[name] === undefined) throw new Error(`tsc 7 says: ${report}`)
    return { name, message }
  })
  return Object.fromEntries(
    Object.keys(sources).map((name) => [name, found.filter((one) => one.name === name).map(({ message }) => message)]),
  )
}
