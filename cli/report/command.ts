import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { renderRunFolderError } from '../../training/index.js'
import { exit } from '../arguments.js'
import { writeReport } from './write-report.js'

const report = async (folder: string, { out }: { readonly out?: string }): Promise<number> => {
  const made = await writeReport(folder, out)()
  if (E.isLeft(made)) {
    console.error(renderRunFolderError(made.left))
    return exit.badUsage
  }
  console.log(made.right)
  return exit.passed
}

/** axgrad report FOLDER: what was this run, and what came of it? */
export const addReport = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('report')
    .description('draw what a run was and what came of it as one page of HTML; a run writes it at its end, too')
    .argument('<folder>', 'the folder of a run')
    .option('--out <file>', 'where to write it; report.html in the folder unless said')
    .addHelpText('after', '\nExample: axgrad report runs/mine --out mine.html')
    .action(async (folder: string, flags: { readonly out?: string }) => {
      ends(await report(folder, flags))
    })
