import { expect } from 'vitest'
import type { Loss } from '../../dsl/index.js'
import { checkGradient, type CheckOptions, renderReport } from '../../verify/index.js'

/** The gradient of a loss is what differences say, to second order, on generated sizes, values and masks. */
export const expectRightGradient = <I>(loss: Loss<I>, options: CheckOptions = {}): void => {
  const report = checkGradient(loss, { runs: 30, ...options })
  expect(report.failure, renderReport(report)).toBeUndefined()
}
