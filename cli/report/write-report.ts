import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { disk, type RunFolderError } from '../../training/index.js'
import { writeWhole } from '../write.js'
import { readContents } from './contents.js'

/** Draw the report of a run into a file: the page of its folder unless another is named. */
export const writeReport = (folder: string, file = join(folder, 'report.html')): TE.TaskEither<RunFolderError, string> =>
  pipe(
    readContents(disk, folder),
    // The plotting library takes a moment to load.
    TE.flatMapTask((contents) => async () => (await import('./report.js')).reportOf(contents)),
    TE.flatMap((page) =>
      pipe(
        writeWhole(file, page),
        TE.bimap(
          (because): RunFolderError => ({ tag: 'cannotWrite', file, because }),
          () => file,
        ),
      ),
    ),
  )
