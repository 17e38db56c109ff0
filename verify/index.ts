/** Whether a loss's gradient is right: generated inputs, differences in float64, a table of where gradients flow. */
export { checkGradient, type CheckOptions } from './check.js'
export { agrees, allAgree, errorBounds, renderDisagreement, ulps } from './error-bound.js'
export { type Flow, gradientFlow, renderFlow } from './flow.js'
export { renderReport } from './render.js'
export type { Failure, Fault, Found, InputReport, Report } from './report.js'
export { type Ranges, type Sample, samples } from './sample.js'
export { admissibleSizes, type Sizes, type SizesGiven } from './sizes.js'
