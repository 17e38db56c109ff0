// Makes every row of the derivative wrong in every way that there is, one at a time, and looks whether the verifier notices.
// `npm run mutants` tries all, some minutes of one core; `npm run mutants -- partials.exp nodes.sum` those rows. SEED=2 tries other cases.
import { argv, env } from 'node:process'
import { reasonFor, reasonsBesides } from '../test/mutants/equivalents.js'
import type { Killing } from '../test/mutants/judge.js'
import { subjects } from '../test/mutants/subjects.js'

/** Of the mutants that are mistakes, the share that is to be found by generated cases. */
const least = 0.99

const [rows, seed] = [argv.slice(2), Number(env['SEED'] ?? 1)]
const asked = subjects(seed, { cases: 200, programs: 40 }).filter(({ name }) => rows.length === 0 || rows.includes(name))

const killings: Killing[] = []
const survivors: string[] = []
const untried: string[] = []
for (const { name, passes, trials } of asked) {
  const own = trials()
  if (own.length === 0 && passes) untried.push(name)
  const found = own.map(({ text, judged }) => ({ text, killing: judged() }))
  const killed = found.flatMap(({ killing }) => killing ?? [])
  killings.push(...killed)
  survivors.push(...found.flatMap(({ text, killing }) => (killing === undefined ? [text] : [])))
  if (own.length > 0) console.log(`${String(killed.length).padStart(4)} of ${String(own.length).padStart(3)}  ${name}`)
}

const unexplained = survivors.filter((text) => reasonFor(text) === undefined)
for (const text of survivors) console.log(`survived  ${text}\n  because: ${reasonFor(text) ?? 'nobody knows'}`)
for (const name of untried) console.log(`untried  ${name}: no random program uses it`)
const stale = rows.length === 0 ? reasonsBesides(survivors) : []
for (const text of stale) console.log(`stale  ${text}: it is found, or there is none, and its reason can go`)

console.log(`killed ${String(killings.length)} of ${String(killings.length + survivors.length)}`)
for (const by of ['verifier', 'laws', 'semantics'] as const) {
  const own = killings.filter((killing) => killing.by === by)
  const most = own.reduce((n, { after }) => Math.max(n, after), 0)
  console.log(`  by the ${by} ${String(own.length)}${by === 'semantics' ? ', a table of edges' : `, after at most ${String(most)} cases`}`)
}
const generated = killings.filter(({ by }) => by !== 'semantics').length
const mistakes = killings.length + unexplained.length
console.log(`  ${(100 * (generated / mistakes)).toFixed(1)} % of ${String(mistakes)} mistakes by generated cases`)
if (generated < least * mistakes || untried.length > 0 || stale.length > 0) process.exitCode = 1
