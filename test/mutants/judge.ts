import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { type AnyTensor, bind, lossProgram, type Requirements, requirementsOf } from '../../dsl/index.js'
import { errorsOf, type Exam, examine, examOf } from '../../verify/examine.js'
import { admissibleSizes, type Sample, samples } from '../../verify/index.js'
import { type Claim, modesAreAdjoint, reverseIsDifferences, secondIsDifferences, secondModesAreAdjoint } from '../autodiff/claims.js'
import { type Scalarized, scalarized } from '../autodiff/scalarized.js'
import { derivatives, meanings } from '../autodiff/semantics.js'
import { right } from '../right.js'
import { lossesOf, type Verifiable } from './losses.js'
import type { Mutant } from './mutant.js'
import { asLoss, type ProgramsUsing } from './programs.js'

/** A loss and values for it, drawn once and tried on every mutant of a row. */
interface Examined {
  readonly y: AnyTensor
  readonly requirements: Requirements
  /** By the right rules. */
  readonly exam: Exam
  readonly samples: readonly Sample[]
}

/** What the mutants of a row are tried on. */
export interface Cases {
  readonly losses: readonly Examined[]
  /** Some of the losses' samples, for the laws. */
  readonly again: readonly Scalarized[]
  readonly programs: readonly Scalarized[]
}

const examined = (given: Verifiable | undefined, runs: number, seed: number): readonly Examined[] => {
  if (given === undefined) return []
  const {
    loss,
    options: { ranges = {}, sizes = {} },
  } = given
  const program = lossProgram(loss)
  const requirements = requirementsOf(program)
  const fit = admissibleSizes(requirements, sizes)
  if (E.isLeft(fit)) return []
  const y = program.outputs.loss
  const own = fc.sample(samples(requirements, fit.right, ranges), { numRuns: runs, seed })
  return [{ y, requirements, exam: examOf(y, requirements), samples: own }]
}

/** Each sample of a loss, for the laws. */
const asPrograms = ({ exam: { first }, requirements, samples: own }: Examined): readonly Scalarized[] =>
  own.map(({ values }) => {
    const given = [...values].map(([path, value]) => ({ path, value }))
    return { objective: first.objective, bound: right(bind(requirements, given)) }
  })

/**
 * As many cases for each name: three in ten of losses made for it, as far as there are some, four in ten of random programs as losses, and
 * random programs as they are. The laws are asked of the losses made for it, too.
 */
export const casesFrom = (using: ProgramsUsing, seed: number, most: number): ((name: string) => Cases) => {
  const known = new Map<string, Cases>()
  const [perLoss, ofSpecial, ofLosses] = [4, Math.floor(0.3 * most), Math.floor(0.4 * most)]
  const made = (name: string): Cases => {
    const special = lossesOf(name).flatMap((loss, _, all) => examined(loss, Math.floor(ofSpecial / all.length), seed))
    const [asLosses, asTheyAre] = [Math.floor(ofLosses / perLoss), most - ofLosses - (special.length > 0 ? ofSpecial : 0)]
    const programs = using(name, asLosses + asTheyAre)
    return {
      losses: [...special, ...programs.slice(0, asLosses).flatMap((p) => examined(asLoss(p), perLoss, seed))],
      again: special.flatMap(asPrograms),
      programs: programs.slice(asLosses).flatMap((p) => scalarized(p) ?? []),
    }
  }
  return (name) => {
    const cases = known.get(name) ?? made(name)
    known.set(name, cases)
    return cases
  }
}

const claims: Readonly<Record<string, Claim>> = { modesAreAdjoint, reverseIsDifferences, secondIsDifferences, secondModesAreAdjoint }

/** Who found a mutant, by what, and after how many cases. */
export interface Killing {
  readonly by: 'verifier' | 'laws' | 'semantics'
  readonly because: string
  readonly after: number
}

/** The public verifier on the losses. A fault counts where the right rules have none. */
const byVerifier = ({ losses }: Cases, { rules }: Mutant): Killing | undefined => {
  let after = 0
  for (const { y, requirements, exam, samples: own } of losses) {
    const wrong = examOf(y, requirements, {}, rules)
    if (errorsOf(wrong).length > 0) return { by: 'verifier', because: 'badGraph', after: after + 1 }
    for (const sample of own) {
      after++
      const { fault } = examine(wrong, sample)
      if (fault !== undefined && examine(exam, sample).fault === undefined)
        return { by: 'verifier', because: fault.tag === 'gradientDiffers' ? `${fault.tag} ${String(fault.order)}` : fault.tag, after }
    }
  }
  return undefined
}

/** The laws of random programs. */
const byLaws = ({ losses, again, programs }: Cases, { rules }: Mutant): Killing | undefined => {
  const tried = losses.reduce((n, { samples: own }) => n + own.length, 0)
  for (const [i, made] of [...again, ...programs].entries())
    for (const [because, claim] of Object.entries(claims))
      if (claim(made, rules) !== undefined && claim(made) === undefined)
        return { by: 'laws', because, after: tried + Math.max(0, i + 1 - again.length) }
  return undefined
}

const same = (x: unknown, y: unknown): boolean => JSON.stringify(x, nameNumbers) === JSON.stringify(y, nameNumbers)
const nameNumbers = (_: string, value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** The table of what derivatives are where they are a choice or no number. */
const bySemantics = ({ rules }: Mutant): Killing | undefined => {
  for (const [i, meaning] of meanings.entries()) {
    const { reverse, forward } = derivatives(meaning, rules)
    if (!same(reverse, meaning.gradient) || !same(forward, meaning.forward ?? meaning.gradient))
      return { by: 'semantics', because: meaning.what, after: i + 1 }
  }
  return undefined
}

/** The verifier, then the laws, then the table: the first that finds it. */
export const judged = (cases: Cases, mutant: Mutant): Killing | undefined =>
  byVerifier(cases, mutant) ?? byLaws(cases, mutant) ?? bySemantics(mutant)
