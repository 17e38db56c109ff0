import { givenLeaves, type Program, rootsOf } from './program.js'
import { listed, nearest, report } from './report.js'
import { asVariable, type Size, variablesOf } from './size.js'
import type { AnyTensor } from './tensor.js'
import { topological } from './walk.js'

/** A size variable that no input binds: a program with one can never be run. */
export interface SizeNeverBound {
  readonly tag: 'sizeNeverBound'
  readonly variable: string
  readonly bound: readonly string[]
}

const sizesIn = ({ axes, node }: AnyTensor): readonly Size[] => [
  ...axes.map(({ size }) => size),
  ...(node.tag === 'extent' ? [node.size] : node.tag === 'slice' || node.tag === 'pad' ? [node.start] : []),
]

/** The size variables of a program that no input binds. */
export const sizesNeverBound = (p: Program<unknown, unknown, unknown>): readonly SizeNeverBound[] => {
  const bound = [...new Set(givenLeaves(p).flatMap(({ value }) => value.axes.flatMap(({ size }) => asVariable(size) ?? [])))]
  const used = new Set(topological(rootsOf(p)).flatMap(sizesIn).flatMap(variablesOf))
  return [...used].filter((variable) => !bound.includes(variable)).map((variable) => ({ tag: 'sizeNeverBound', variable, bound }))
}

/** Three lines: what, because, try. */
export const renderSizeNeverBound = ({ variable, bound }: SizeNeverBound): string => {
  const near = nearest(variable, bound)
  return report(
    `the size '${variable}' is asked for`,
    `no input has an axis of that size: the inputs bind ${listed(bound)}`,
    near === undefined ? `give the size as a number, or by an axis that an input has` : `did you mean '${near}'?`,
  )
}
