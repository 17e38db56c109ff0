import { listed, nearest, report } from '../../dsl/index.js'

/** Why a policy cannot be trained by a loss. */
export type LossError =
  | { readonly tag: 'unknownAlgorithm'; readonly name: string; readonly has: readonly string[] }
  | { readonly tag: 'unknownField'; readonly loss: string; readonly input: string; readonly has: readonly string[] }
  | { readonly tag: 'wrongField'; readonly loss: string; readonly input: string; readonly declared: string; readonly takes: string }
  | { readonly tag: 'noLogProbs'; readonly loss: string }
  | { readonly tag: 'notInParts'; readonly loss: string; readonly rows: number }
  | { readonly tag: 'noMemory'; readonly loss: string; readonly task: string }

/** A word that may have been meant, before the list of all. */
export const meant = (word: string, has: readonly string[]): string => {
  const near = nearest(word, has)
  return near === undefined ? `one of ${listed(has)}` : `did you mean '${near}'? There is ${listed(has)}`
}

/** Three lines: what and where, because, try. */
export const renderLossError = (error: LossError): string => {
  switch (error.tag) {
    case 'unknownAlgorithm':
      return report(`the algorithm '${error.name}'`, `there is none of that name`, meant(error.name, error.has))
    case 'unknownField':
      return report(
        `the input '${error.input}' of the loss '${error.loss}'`,
        `a trainer has nothing of that name`,
        meant(error.input.split('.').at(-1) ?? '', error.has),
      )
    case 'wrongField':
      return report(
        `the input '${error.input}' of the loss '${error.loss}'`,
        `it is declared as ${error.declared}, and a trainer has it as ${error.takes}`,
        `declare it so, its axes in that order and their sizes open`,
      )
    case 'noLogProbs':
      return report(
        `the loss '${error.loss}'`,
        `it does not read 'logProbs', so no gradient of it reaches the policy`,
        `declare logProbs: f32('batch', 'time')`,
      )
    case 'notInParts':
      return report(
        `the loss '${error.loss}' in parts of ${String(error.rows)} rows`,
        `its parts do not add up to it: its rows are compared with each other, or it divides by what a part counts`,
        `leave microRows out, or read step: { tokens, rows, nonEmptyRows } and divide by it (ofStep)`,
      )
    case 'noMemory':
      return report(
        `the loss '${error.loss}' on the task '${error.task}'`,
        `it pays for memories, and the policy keeps none there`,
        `choose a task whose turns show a memory, or grpo`,
      )
  }
}
