import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogue, type LossName } from '../../algorithms/index.js'
import type { Value } from '../../dsl/index.js'
import { law } from '../law.js'
import { allZero, anyJunk, close } from './batches.js'
import {
  anyBatchOf,
  type Batch,
  inputsOf,
  insideMask,
  names,
  padded,
  rowsAt,
  soiled,
  takeAlong,
  tokenPaths,
  withInput,
  withoutTokens,
} from './catalogue.js'
import { type Counts, type Lost, lossReader, microBatchReader } from './lost.js'

const few = { runs: 12 }

const sameValue = (x: Value, y: Value): boolean => x.data.length === y.data.length && [...x.data].every((e, i) => close(e, y.data[i]!))

const sameLost = (x: Lost, y: Lost): boolean =>
  close(x.value, y.value) && Object.entries(x.grads).every(([path, grad]) => sameValue(grad, y.grads[path]!))

/** The gradients of the rows of a batch, put in another order, or of its places in one that is padded. */
const alongAxis = (name: LossName, axis: string, lost: Lost, places: readonly number[]): Lost => {
  const specs = inputsOf(catalogue[name].loss)
  const grads = Object.entries(lost.grads).map(([path, grad]) => {
    const dimension = specs[path]!.axes.findIndex((own) => own.name === axis)
    return [path, dimension < 0 ? grad : takeAlong(grad, dimension, places)] as const
  })
  return { value: lost.value, grads: Object.fromEntries(grads) }
}

/** The sum of the losses of two parts of the rows, and the gradients one behind the other. */
const together = (name: LossName, x: Lost, y: Lost): Lost => {
  const specs = inputsOf(catalogue[name].loss)
  const grads = Object.entries(x.grads).map(([path, grad]) => {
    const other = y.grads[path]!
    return specs[path]!.axes[0]?.name === 'batch'
      ? [path, { sizes: grad.sizes, data: [...grad.data, ...other.data] }]
      : [path, { sizes: grad.sizes, data: [...grad.data].map((g, i) => g + other.data[i]!) }]
  })
  return { value: x.value + y.value, grads: Object.fromEntries(grads) as Lost['grads'] }
}

/** What a step may count: more than any of its micro-batches. */
const counts: Counts<number> = { tokens: 17, rows: 5, nonEmptyRows: 4 }

/** Batches of several rows, where there is something to take apart. */
const someBatches = (name: LossName): readonly Batch[] =>
  fc.sample(anyBatchOf(catalogue[name].loss), { numRuns: 60, seed: 1 }).filter(({ batch }) => batch > 1)

describe.each(names)('%s', (name) => {
  const { loss, ...declared } = catalogue[name]
  const lost = lossReader(loss)
  const inF32 = lossReader(loss, { precision: 'f32' })
  const anyBatch = anyBatchOf(loss)

  // ── Padding ──

  const samePadded = (batch: Batch, before: number, behind: number, filler: number): boolean => {
    const places = [...Array<number>(before).fill(-1), ...Array(batch.time).keys(), ...Array<number>(behind).fill(-1)]
    return sameLost(lost(padded(loss, batch, before, behind, filler)), alongAxis(name, 'time', lost(batch), places))
  }
  const anySide = fc.integer({ min: 0, max: 2 })

  if (declared.paddingInvariant)
    law(
      'does not change under padding on either side, whatever is there',
      fc.property(anyBatch, anySide, anySide, fc.constantFrom(NaN, Infinity, -1), samePadded),
      few,
    )
  else
    test('changes under padding', () => {
      expect(fc.sample(anyBatch, { numRuns: 40, seed: 1 }).some((batch) => !samePadded(batch, 1, 0, 0))).toBe(true)
    })

  // ── Rows ──

  const anyOrder = anyBatch.chain((batch) =>
    fc.record({
      batch: fc.constant(batch),
      order: fc.shuffledSubarray([...Array(batch.batch).keys()], { minLength: batch.batch }),
      cut: fc.integer({ min: 1, max: Math.max(1, batch.batch - 1) }),
    }),
  )
  const ofStep = microBatchReader(catalogue[name])
  const sameInParts = (batch: Batch, cut: number): boolean => {
    const rows = [...Array(batch.batch).keys()]
    const [first, second] = [rows.slice(0, cut), rows.slice(cut)].map((part) => ofStep(rowsAt(loss, batch, part), counts))
    return sameLost(together(name, first!, second!), ofStep(batch, counts))
  }

  if (declared.rowSeparable) {
    law(
      'follows its rows into any order',
      fc.property(anyOrder, ({ batch, order }) => sameLost(lost(rowsAt(loss, batch, order)), alongAxis(name, 'batch', lost(batch), order))),
      few,
    )
    law(
      'of micro-batches adds up to that of the step',
      fc.property(anyOrder, ({ batch, cut }) => batch.batch < 2 || sameInParts(batch, cut)),
      few,
    )
  } else
    test('of micro-batches is another loss than that of the step', () => {
      expect(someBatches(name).some((batch) => !sameInParts(batch, 1))).toBe(true)
    })

  // ── Masks ──

  law(
    'does not change with what tokens outside the mask hold, and their gradient is exactly zero',
    fc.property(anyBatch, anyJunk, (batch, junk) => {
      const [clean, dirty] = [lost(batch), lost(soiled(loss, batch, junk))]
      return (
        dirty.value === clean.value &&
        tokenPaths(loss).every((path) => {
          const inside = insideMask(batch, path)
          return [...dirty.grads[path]!.data].every((g, i) => g === clean.grads[path]!.data[i] && (inside[i]! || g === 0))
        })
      )
    }),
    few,
  )

  law(
    'has a finite value and gradient in f32 where log-ratios are ±100',
    fc.property(
      anyBatch,
      fc.constantFrom('oldLogProbs', 'refLogProbs', 'rolloutLogProbs'),
      fc.constantFrom(-100, 100),
      (batch, by, far) => {
        const { value, grads } = inF32(withInput(loss, batch, by, (i) => (i % 3 === 0 ? -1 : -1 - far)))
        return Number.isFinite(value) && Object.values(grads).every(({ data }) => [...data].every(Number.isFinite))
      },
    ),
    few,
  )

  law(
    'of a batch without response tokens is 0 with zero gradients',
    fc.property(anyBatch, (batch) => {
      const { value, grads } = lost(withoutTokens(loss, batch))
      return value === 0 && Object.values(grads).every(allZero)
    }),
    few,
  )
})
