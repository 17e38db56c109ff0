import { type Scalar, scalar } from '../dsl/index.js'

/** A number, or a scalar of the program where it changes while training. Units are said where it is used. */
export type Setting = number | Scalar

export const toScalar = (setting: Setting): Scalar => (typeof setting === 'number' ? scalar(setting) : setting)
