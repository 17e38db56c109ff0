import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { disk, replaceFile, type RunFolderError } from '../../training/index.js'
import { readContents } from './contents.js'

/** Draw the report of a run into a file: the page of its folder unless another is named. */
export const writeReport = (folder: string, file = join(folder, 'report.html')): TE.TaskEither<RunFolderError, string> =>
  pipe(
    readContents(disk, folder),
    // The plotting library takes a moment to load.
    TE.flatMapTask((contents) => async () => (await import('./report.js')).reportOf(contents)),
    TE.flatMap((page) =>
      pipe(
        replaceFile(disk, file, page),
        TE.map(() => file),
      ),
    ),
  )
