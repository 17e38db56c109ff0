import { listed, nearest, report } from '../../dsl/index.js'

/** What is wrong with what a run is told. */
export type ConfigError =
  | { readonly tag: 'unknownKey'; readonly path: string; readonly key: string; readonly has: readonly string[] }
  | { readonly tag: 'unknownTask'; readonly name: string; readonly has: readonly string[] }
  | { readonly tag: 'wrongValue'; readonly path: string; readonly value: string; readonly because: string }
  | { readonly tag: 'otherWords'; readonly path: string; readonly words: number; readonly trained: number }
  | { readonly tag: 'notAConfig'; readonly file: string; readonly because: string }
  | { readonly tag: 'twoLosses' }

const meant = (word: string, has: readonly string[]): string => {
  const near = nearest(word, has)
  return near === undefined ? `it may have ${listed(has)}` : `did you mean '${near}'?`
}

/** Three lines: what and where, because, try. */
export const renderConfigError = (error: ConfigError): string => {
  switch (error.tag) {
    case 'unknownKey':
      return report(
        `'${error.key}' in ${error.path === '' ? 'the config' : `'${error.path}' of the config`}`,
        `there is no such setting`,
        meant(error.key, error.has),
      )
    case 'unknownTask':
      return report(`the task '${error.name}'`, `there is ${listed(error.has)}`, meant(error.name, error.has))
    case 'wrongValue':
      return report(`'${error.path}' of the config is ${error.value}`, error.because, `change it, or leave it out for the default`)
    case 'otherWords':
      return report(
        `'${error.path}' of the config`,
        `it makes a task of ${String(error.words)} words that are not the ${String(error.trained)} of the policy`,
        `leave out the setting that changes the words, as facts`,
      )
    case 'notAConfig':
      return report(error.file, error.because, `give a .json file of settings, or a .ts file that exports them as its default`)
    case 'twoLosses':
      return report(`--algorithm and --loss, or the lossFile of the config`, `each says by which loss to train`, `give one of them`)
  }
}
