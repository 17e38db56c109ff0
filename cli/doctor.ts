import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device, DeviceFacts } from '../backends/index.js'
import { openCpu } from '../backends/cpu/index.js'
import { type AcquireError, openWebGpu, renderAcquireError } from '../backends/webgpu/index.js'
import { exit } from './arguments.js'
import { type SelfTest, selfTest } from './self-test.js'

/** What was found out about a place where programs run. */
export type Finding =
  | { readonly backend: Backend; readonly status: 'absent'; readonly error: AcquireError }
  | {
      readonly backend: Backend
      readonly status: 'ready' | 'faulty'
      readonly facts: DeviceFacts
      readonly tests: readonly SelfTest[]
    }

type Opened = TE.TaskEither<AcquireError, Device>

/** Each way to run a program, in the order in which to prefer it. */
const backends = {
  webgpu: openWebGpu('webgpu'),
  software: openWebGpu('software'),
  cpu: () => Promise.resolve(E.right(openCpu())),
} as const satisfies Readonly<Record<string, Opened>>

type Backend = keyof typeof backends

const examine = async (backend: Backend): Promise<Finding> => {
  const opened: E.Either<AcquireError, Device> = await backends[backend]()
  if (E.isLeft(opened)) return { backend, status: 'absent', error: opened.left }
  const device = opened.right
  const tests = await selfTest(device)
  await device.release()
  return { backend, status: tests.every(({ passed }) => passed) ? 'ready' : 'faulty', facts: device.facts, tests }
}

const indented = (text: string): string => text.replace(/^/gm, '  ')

const listedFacts = ({ adapter, limits, features }: DeviceFacts): string =>
  [
    `adapter   ${adapter}`,
    `features  ${features.length === 0 ? 'none' : features.join(', ')}`,
    `limits    ${Object.entries(limits)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join('\n          ')}`,
  ].join('\n')

const result = ({ name, passed, difference, because }: SelfTest): string =>
  because === undefined
    ? `${passed ? 'passed' : 'WRONG '}  ${name.padEnd(10)}  differs by ${difference.toExponential(1)}`
    : `FAILED  ${name}\n${indented(because)}`

export const renderFinding = (finding: Finding): string =>
  finding.status === 'absent'
    ? `${finding.backend}: absent\n${indented(renderAcquireError(finding.error))}`
    : `${finding.backend}: ${finding.status}\n${indented([listedFacts(finding.facts), ...finding.tests.map(result)].join('\n'))}`

const doctor = async ({ json }: { readonly json?: true }): Promise<number> => {
  const findings: Finding[] = []
  // One after the other: an open device keeps a core busy.
  for (const backend of Object.keys(backends) as Backend[]) {
    const finding = await examine(backend)
    findings.push(finding)
    if (json !== true) console.log(renderFinding(finding))
  }
  if (json === true) console.log(JSON.stringify(findings, null, 2))
  return findings.some(({ status }) => status === 'faulty') ? exit.failed : exit.passed
}

/** axgrad doctor: what can programs run on here, and are its numbers right? */
export const addDoctor = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('doctor')
    .description('show what programs can run on here, and test the numbers that each backend makes')
    .option('--json', 'print what was found as JSON')
    .addHelpText('after', '\nExample: axgrad doctor')
    .action(async (flags: { readonly json?: true }) => {
      ends(await doctor(flags))
    })
