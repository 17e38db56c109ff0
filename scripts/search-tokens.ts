// What a memory saves in country search: turns and tokens of the oracle's episodes by number of objectives, with a memory and with everything
// read again. `npm run search-tokens`.
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { random } from '../dsl/index.js'
import { countrySearch, demonstrate } from '../tasks/index.js'
import { drawFrom } from '../training/index.js'

/** Means over episodes: turns, Σ tokens of contexts and responses, and the longest context with its response. */
export interface TokenUse {
  readonly turns: number
  readonly total: number
  readonly peak: number
}

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length

/** The oracle's use of tokens, without bad habits, over held-out questions of so many objectives. */
export const tokenUse = async (
  base: countrySearch.Base,
  context: countrySearch.ContextKind,
  objectives: number,
  questions: number,
): Promise<TokenUse> => {
  const made = countrySearch.searchEnvironment(base, { context, objectives: { [objectives]: 1 } })
  if (E.isLeft(made)) throw new RangeError(made.left.map(countrySearch.renderSettingError).join('\n'))
  const environment = made.right
  const lengths = await Promise.all(
    Array.from({ length: questions }, async (_, seed) => {
      const key = random.key(seed)
      const problem = environment.problem('heldOut', drawFrom(key))
      const { lessons } = await demonstrate(environment)(problem, (turn) => drawFrom(random.fold(key, turn)))
      return lessons.map((lesson) => lesson.context.length + lesson.response.length)
    }),
  )
  return {
    turns: mean(lengths.map(({ length }) => length)),
    total: mean(lengths.map((turns) => turns.reduce((sum, x) => sum + x, 0))),
    peak: mean(lengths.map((turns) => Math.max(...turns))),
  }
}

const main = async (): Promise<void> => {
  const base = countrySearch.baseOf(countrySearch.countries)
  console.log('objectives   turns   memory total / peak   full total / peak   ratio total / peak')
  for (const objectives of [1, 2, 3, 4, 8]) {
    const [memory, full] = [await tokenUse(base, 'memory', objectives, 256), await tokenUse(base, 'full', objectives, 256)]
    const pair = (total: number, peak: number, digits: number): string => `${total.toFixed(digits)} / ${peak.toFixed(digits)}`
    console.log(
      [
        String(objectives).padStart(10),
        memory.turns.toFixed(1).padStart(5),
        pair(memory.total, memory.peak, 0).padStart(19),
        pair(full.total, full.peak, 0).padStart(17),
        pair(full.total / memory.total, full.peak / memory.peak, 1).padStart(18),
      ].join('   '),
    )
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
