// Lists the licence of every installed dependency and fails on one that nobody has allowed.
import { fileURLToPath } from 'node:url'
import { init } from 'license-checker-rseidelsohn'
import type { ModuleInfo, ModuleInfos } from 'license-checker-rseidelsohn'

/** Permissive licences. Nothing here asks that a work using the package be published under the package's terms. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-3.0', // the lists of SPDX names, used by the licence checker
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0', // argparse, used by tools
  'Unlicense', // robust-predicates, used by the plotting library: the public domain
])

/** An SPDX expression without parentheses inside parentheses: a choice is allowed by one of its parts, a conjunction by all. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)))

const installed = (): Promise<ModuleInfos> =>
  new Promise((resolve, reject) => {
    const start = fileURLToPath(new URL('..', import.meta.url))
    init({ start }, (error: Error | null, packages) => (error === null ? resolve(packages) : reject(error)))
  })

const licenceOf = ({ licenses }: ModuleInfo): string => (licenses === undefined ? 'unknown' : [licenses].flat().join(' AND '))

const main = async (): Promise<void> => {
  const names = new Map<string, readonly string[]>()
  for (const [name, info] of Object.entries(await installed())) names.set(licenceOf(info), [...(names.get(licenceOf(info)) ?? []), name])
  for (const [licence, packages] of [...names].sort()) {
    console.log(`${isAllowed(licence) ? ' ' : '✗'} ${licence}: ${packages.join(', ')}`)
    if (!isAllowed(licence)) process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
