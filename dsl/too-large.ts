import { typeText, nodeLabel } from './label.js'
import { givenLeaves, madeLeaves, type Program, rootsOf } from './program.js'
import { report } from './report.js'
import { evaluateSize, known, product, type Size } from './size.js'
import type { Axis } from './tensor.js'
import { topological } from './walk.js'

/** Kernels count in i32: no axis is longer, no tensor has more elements, whether it is made or not, and no `extent` is greater. */
export const mostElements = 2 ** 31 - 1

/** What a program counts, once for each size: a length of an axis, the elements of a tensor, an extent. */
export interface Count {
  readonly of: string
  readonly size: Size
}

/** A count beyond what kernels count to. */
export interface TooLarge extends Count {
  readonly tag: 'tooLarge'
  readonly value: number
}

const ofAxes = (of: string, axes: readonly Axis[]): readonly Count[] => [
  ...axes.map(({ name, size }) => ({ of: `axis '${name}' of ${of}`, size })),
  { of: `the elements of ${of}`, size: product(axes.map(({ size }) => size)) },
]

export const countsOf = (p: Program<unknown, unknown, unknown>): readonly Count[] => {
  const counts = new Map<string, Count>()
  const shapes = new Set<string>()
  const add = (all: readonly Count[]): void => {
    for (const count of all) if (!counts.has(count.size.text)) counts.set(count.size.text, count)
  }
  const addTensor = (of: () => string, axes: readonly Axis[]): void => {
    const shape = axes.map(({ size }) => size.text).join()
    if (shapes.has(shape)) return
    shapes.add(shape)
    add(ofAxes(of(), axes))
  }
  for (const { path, value } of givenLeaves(p)) addTensor(() => path, value.axes)
  for (const { path, value } of madeLeaves(p)) addTensor(() => path, value.axes)
  for (const x of topological(rootsOf(p))) {
    if (x.node.tag === 'invalid') continue
    addTensor(() => `${nodeLabel(x.node)} ${typeText(x)}`, x.axes)
    if (x.node.tag === 'extent') add([{ of: 'an extent', size: x.node.size }])
  }
  return [...counts.values()]
}

/** The counts that are too large at these sizes; one whose size is not bound is none. */
export const tooLargeAt = (counts: readonly Count[], sizes: ReadonlyMap<string, number>): readonly TooLarge[] =>
  counts.flatMap((count): readonly TooLarge[] => {
    const value = evaluateSize(count.size, sizes)
    return value === undefined || !(value > mostElements) ? [] : [{ tag: 'tooLarge', ...count, value }]
  })

/** The counts that are too large whatever the open sizes are. */
export const tooLargeAlways = (p: Program<unknown, unknown, unknown>): readonly TooLarge[] =>
  tooLargeAt(
    countsOf(p).filter(({ size }) => known(size) !== undefined),
    new Map(),
  )

/** Three lines: what, because, try. */
export const renderTooLarge = ({ of, size, value }: TooLarge): string =>
  report(
    `${of}: ${size.text === String(value) ? size.text : `${size.text} = ${String(value)}`}`,
    `kernels count in 32 bits, up to 2³¹ − 1 = ${String(mostElements)}`,
    `use fewer or smaller axes, or compute it in parts`,
  )
