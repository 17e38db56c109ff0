/** Check the library against what the peers' own functions gave: a line a file, `name passed/total`. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command, Option } from 'commander'
import { checkRow } from '../test/golden/check.js'
import { readings } from '../test/golden/reading.js'
import { rows } from '../test/golden/rows/index.js'

const devices = { reference: 'reference-f64', cpu: 'cpu', software: 'software' } as const

const check = async (folder: string | undefined, device: keyof typeof devices): Promise<boolean> => {
  const reading = readings[devices[device]]()
  const from = folder === undefined ? undefined : pathToFileURL(`${resolve(folder)}/`)
  let [passed, total] = [0, 0]
  for (const row of rows) {
    total += row.cases
    if (from !== undefined && !existsSync(new URL(`${row.file}.json`, from))) {
      console.log(`${row.file} missing`)
      continue
    }
    const checked = await checkRow(reading, row, row.prepared(from))
    const right = checked.filter(({ errors, wrong }) => errors.length + wrong.length === 0).length
    console.log(`${row.file} ${String(right)}/${String(row.cases)}`)
    passed += right
  }
  await reading.close?.()
  console.log(`total ${String(passed)}/${String(total)} in ${String(rows.length)} files`)
  return passed === total
}

await new Command('golden')
  .description('check the library against the golden files of a folder, of test/golden if none is said')
  .argument('[folder]')
  .addOption(new Option('--device <name>', 'what runs them').choices(Object.keys(devices)).default('reference'))
  .action(async (folder: string | undefined, { device }: { readonly device: keyof typeof devices }) => {
    process.exitCode = (await check(folder, device)) ? 0 : 1
  })
  .parseAsync()
