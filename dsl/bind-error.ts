import { showCallSite } from './call-site.js'
import type { Demand } from './demand.js'
import { type DType, rangeOf } from './dtype.js'
import { listed, nearest, report } from './report.js'
import type { Size } from './size.js'
import { renderTooLarge, type TooLarge } from './too-large.js'
import { countOf } from './value.js'

/** What can be wrong with the values that a program is run with. */
export type BindError =
  | { readonly tag: 'unbound'; readonly path: string; readonly axes: readonly string[]; readonly dtype: DType }
  | { readonly tag: 'notDeclared'; readonly path: string; readonly declared: readonly string[] }
  | { readonly tag: 'wrongRank'; readonly path: string; readonly axes: readonly string[]; readonly sizes: readonly number[] }
  | { readonly tag: 'notNumbers'; readonly path: string; readonly dtype: DType }
  | { readonly tag: 'wrongNumber'; readonly path: string; readonly dtype: DType; readonly value: number; readonly place: number }
  | TooLarge
  | { readonly tag: 'badSizes'; readonly path: string; readonly sizes: readonly number[] }
  | {
      readonly tag: 'wrongLength'
      readonly path: string
      readonly axes: readonly string[]
      readonly sizes: readonly number[]
      readonly length: number
    }
  | { readonly tag: 'wrongSize'; readonly path: string; readonly axis: string; readonly declared: Size; readonly given: number }
  | { readonly tag: 'axisBoundTwice'; readonly axis: string; readonly first: PathSize; readonly second: PathSize }
  | {
      readonly tag: 'sizesUnequal'
      readonly demand: Extract<Demand, { readonly tag: 'sizesEqual' }>
      readonly left: number
      readonly right: number
    }
  | {
      readonly tag: 'sizeTooSmallOnceBound'
      readonly demand: Extract<Demand, { readonly tag: 'sizeAtLeast' }>
      readonly size: number
      readonly least: number
    }
  | { readonly tag: 'doesNotDivideOnceBound'; readonly demand: Extract<Demand, { readonly tag: 'sizeDivides' }>; readonly size: number }
  | {
      readonly tag: 'idOutOfRange'
      readonly path: string
      readonly axis: string
      readonly id: number
      readonly place: number
      readonly limit: number
    }

export interface PathSize {
  readonly path: string
  readonly size: number
}

const byLine = (axes: readonly string[], sizes: readonly number[]): string => `${listed(axes, 'no axes')} of sizes [${sizes.join(', ')}]`

/** `time − 4 = -1`, or `3` */
const valued = (size: Size, value: number): string => (size.text === String(value) ? size.text : `${size.text} = ${String(value)}`)

/** Three lines: what and where, because, try. */
export const renderBindError = (error: BindError): string => {
  switch (error.tag) {
    case 'unbound':
      return report(
        `${error.path} has no value`,
        `the program declares it as ${error.dtype} with axes ${listed(error.axes)}`,
        `give it { sizes, data }, or a number for a scalar`,
      )
    case 'notDeclared': {
      const near = nearest(error.path, error.declared)
      return report(
        `${error.path} is given`,
        `the program declares only ${listed(error.declared)}`,
        near === undefined ? `leave it out` : `did you mean '${near}'?`,
      )
    }
    case 'wrongRank':
      return report(
        `${error.path} is given ${String(error.sizes.length)} sizes`,
        `it is declared with ${String(error.axes.length)} axes, ${listed(error.axes)}, and was given [${error.sizes.join(', ')}]`,
        `give one size for each axis, in the order of the declaration`,
      )
    case 'notNumbers':
      return report(
        `${error.path} is given no numbers`,
        `its data must be one flat array of numbers, or a typed array, for ${error.dtype}`,
        `use nested([[1, 2], [3, 4]]) for rows; a bool is 0 or 1`,
      )
    case 'wrongNumber':
      return report(
        `${error.path} is given ${String(error.value)} at place ${String(error.place)}`,
        `it is declared as ${error.dtype}, and so each element is ${rangeOf[error.dtype]}`,
        `round the numbers, or declare it as f32 and compare or cast it in the program`,
      )
    case 'tooLarge':
      return renderTooLarge(error)
    case 'badSizes':
      return report(
        `${error.path} is given sizes [${error.sizes.join(', ')}]`,
        `a size is a whole number of at least 0`,
        `give the sizes that the data has`,
      )
    case 'wrongLength':
      return report(
        `${error.path} is given ${String(error.length)} numbers`,
        `${byLine(error.axes, error.sizes)} need ${String(countOf(error.sizes))}`,
        `check the sizes, or the length of the data (ragged rows must be padded)`,
      )
    case 'wrongSize':
      return report(
        `${error.path} has size ${String(error.given)} along '${error.axis}'`,
        `it is declared with size ${error.declared.text}`,
        `give that size, or declare the axis open`,
      )
    case 'axisBoundTwice':
      return report(
        `axis '${error.axis}' is bound to two sizes`,
        `${error.first.path} has ${String(error.first.size)} and ${error.second.path} has ${String(error.second.size)}`,
        `give both the same size, or declare two axes with different names`,
      )
    case 'sizesUnequal':
      return report(
        `${error.demand.op} at ${showCallSite(error.demand.at)}`,
        `axis '${error.demand.axis}' has size ${valued(error.demand.left, error.left)} on the left and ${valued(error.demand.right, error.right)} on the right`,
        `run it with sizes that agree, or slice or pad one of them`,
      )
    case 'sizeTooSmallOnceBound':
      return report(
        `${error.demand.op} along '${error.demand.axis}' at ${showCallSite(error.demand.at)}`,
        `${valued(error.demand.size, error.size)} and at least ${valued(error.demand.least, error.least)} is needed`,
        `run it with a longer axis, or choose bounds inside it`,
      )
    case 'doesNotDivideOnceBound':
      return report(
        `${error.demand.op} of '${error.demand.axis}' at ${showCallSite(error.demand.at)}`,
        `${valued(error.demand.size, error.size)}, which ${String(error.demand.by)} does not divide`,
        `run it with a size that ${String(error.demand.by)} divides, or slice or pad the axis first`,
      )
    case 'idOutOfRange':
      return report(
        `${error.path} points outside '${error.axis}'`,
        `element ${String(error.place)} is ${String(error.id)} and the axis has places 0 to ${String(error.limit - 1)}`,
        `check the tokenizer or the padding id; an id that is masked must lie inside too`,
      )
  }
}
