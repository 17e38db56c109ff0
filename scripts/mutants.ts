// Makes every row of the derivative wrong in every way that there is, one at a time, and looks whether the verifier notices.
// `npm run mutants` tries all, some minutes of one core; `npm run mutants -- partials.exp nodes.sum` those rows. SEED=2 tries other cases.
import { argv, env } from 'node:process'
import { reasonFor, reasonsBesides } from '../test/mutants/equivalents.js'
import type { Killing } from '../test/mutants/judge.js'
import { type Subject, subjects } from '../test/mutants/subjects.js'

/** Of the mistakes in the tables, the share that is to be found by generated cases. */
const least = 0.99

const [rows, seed] = [argv.slice(2), Number(env['SEED'] ?? 1)]
const asked = subjects(seed, { cases: 200, programs: 40 }).filter(({ name }) => rows.length === 0 || rows.includes(name))

interface Judged {
  readonly name: string
  readonly text: string
  readonly killing: Killing | undefined
}

const judgedOf = ({ name, passes, trials }: Subject): readonly Judged[] => {
  const own = trials().map(({ text, judged }): Judged => ({ name, text, killing: judged() }))
  const killed = own.filter(({ killing }) => killing !== undefined).length
  if (passes || own.length > 0) console.log(`${String(killed).padStart(4)} of ${String(own.length).padStart(3)}  ${name}`)
  return own
}

const all = asked.map(judgedOf)
const mutants = all.flat()
const killings = mutants.flatMap(({ killing }) => killing ?? [])
const survivors = mutants.flatMap(({ text, killing }) => (killing === undefined ? [text] : []))
const untried = asked.flatMap(({ name, passes }, i) => (passes && all[i]!.length === 0 ? [name] : []))
const stale = rows.length === 0 ? reasonsBesides(survivors) : []

for (const text of survivors) console.log(`survived  ${text}\n  because: ${reasonFor(text) ?? 'nobody knows'}`)
for (const name of untried) console.log(`untried  ${name}: no random program uses it`)
for (const text of stale) console.log(`stale  ${text}: it is found, or there is none, and its reason can go`)

console.log(`killed ${String(killings.length)} of ${String(mutants.length)}`)
for (const by of ['verifier', 'laws', 'semantics'] as const) {
  const own = killings.filter((killing) => killing.by === by)
  const most = own.reduce((n, { after }) => Math.max(n, after), 0)
  console.log(`  by the ${by} ${String(own.length)}${by === 'semantics' ? ', a table of edges' : `, after at most ${String(most)} cases`}`)
}

// Losses are left out: they are many, and their mutants easy to find.
const mistakes = mutants.filter(({ name, text }) => !name.startsWith('losses.') && reasonFor(text) === undefined)
const generated = mistakes.filter(({ killing }) => killing !== undefined && killing.by !== 'semantics').length
const share = mistakes.length === 0 ? 1 : generated / mistakes.length
console.log(`  ${(100 * share).toFixed(1)} % of ${String(mistakes.length)} mistakes in the tables by generated cases`)
if (share < least || untried.length > 0 || stale.length > 0) process.exitCode = 1
