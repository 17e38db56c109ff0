import { type CallSite, showCallSite } from './call-site.js'
import { type DType, rangeOf } from './dtype.js'
import { listed, nearest, report } from './report.js'
import type { Size } from './size.js'

/** What can be wrong with an expression, found when it is built. */
export type GraphError =
  | {
      readonly tag: 'sizesDiffer'
      readonly op: string
      readonly axis: string
      readonly left: Size
      readonly right: Size
      readonly at: CallSite
    }
  | {
      readonly tag: 'axesDoNotNest'
      readonly op: string
      readonly left: readonly string[]
      readonly right: readonly string[]
      readonly at: CallSite
    }
  | { readonly tag: 'noSuchAxis'; readonly op: string; readonly axis: string; readonly has: readonly string[]; readonly at: CallSite }
  | { readonly tag: 'axisExists'; readonly op: string; readonly axis: string; readonly has: readonly string[]; readonly at: CallSite }
  | { readonly tag: 'axisTwice'; readonly op: string; readonly axis: string; readonly at: CallSite }
  | {
      readonly tag: 'sizeTooSmall'
      readonly op: string
      readonly axis: string
      readonly size: Size
      readonly least: Size
      readonly at: CallSite
    }
  | { readonly tag: 'typesDoNotFit'; readonly op: string; readonly takes: string; readonly given: readonly DType[]; readonly at: CallSite }
  | { readonly tag: 'badSize'; readonly op: string; readonly axis: string; readonly size: Size; readonly at: CallSite }
  | { readonly tag: 'numberDoesNotFit'; readonly value: number; readonly dtype: DType; readonly at: CallSite }
  | { readonly tag: 'badStep'; readonly op: string; readonly axis: string; readonly step: number; readonly at: CallSite }
  | {
      readonly tag: 'doesNotDivide'
      readonly op: string
      readonly axis: string
      readonly size: Size
      readonly by: number
      readonly at: CallSite
    }
  | {
      readonly tag: 'axesDiffer'
      readonly op: string
      readonly expected: readonly string[]
      readonly given: readonly string[]
      readonly at: CallSite
    }
  | { readonly tag: 'cotangentsMissing'; readonly op: string; readonly operands: number; readonly given: number; readonly at: CallSite }
  | { readonly tag: 'notLinear'; readonly op: string; readonly at: CallSite }

export type GraphErrorTag = GraphError['tag']

const didYouMean = (axis: string, has: readonly string[]): string => {
  const near = nearest(axis, has)
  return near === undefined ? `name one of ${listed(has, 'no axes: the tensor is a scalar')}` : `did you mean '${near}'?`
}

/** Three lines: what and where, because, try. */
export const renderGraphError = (error: GraphError): string => {
  const at = showCallSite(error.at)
  switch (error.tag) {
    case 'sizesDiffer':
      return report(
        `${error.op} at ${at}`,
        `axis '${error.axis}' has size ${error.left.text} on the left and ${error.right.text} on the right`,
        `slice or pad one of them, or rename the axis if the two are different things`,
      )
    case 'axesDoNotNest':
      return report(
        `${error.op} at ${at}`,
        `neither operand has all the axes of the other: one has ${listed(error.left)}, one ${listed(error.right)}`,
        `write outer(x, y) if every pair is meant, or sum or rename an axis that should not be there`,
      )
    case 'noSuchAxis':
      return report(
        `${error.op} over '${error.axis}' at ${at}`,
        `the tensor has axes ${listed(error.has)}`,
        didYouMean(error.axis, error.has),
      )
    case 'axisExists':
      return report(
        `${error.op} onto '${error.axis}' at ${at}`,
        `the tensor already has axes ${listed(error.has)}`,
        `choose a name that is free, or rename the other axis first`,
      )
    case 'axisTwice':
      return report(`${error.op} at ${at}`, `axis '${error.axis}' is named twice`, `name each axis once`)
    case 'sizeTooSmall':
      return report(
        `${error.op} along '${error.axis}' at ${at}`,
        `the axis has size ${error.size.text} and at least ${error.least.text} is needed`,
        `choose bounds inside the axis`,
      )
    case 'typesDoNotFit':
      return report(
        `${error.op} at ${at}`,
        `it takes ${error.takes} and was given ${error.given.join(', ')}`,
        `cast an operand (toF32, toI32, toU32, toBool)`,
      )
    case 'badSize':
      return report(
        `${error.op} along '${error.axis}' at ${at}`,
        `the size is ${error.size.text}, and a size is a whole number of at least 0`,
        `round it, or use the size of an axis (sizeOf, sizeAlong)`,
      )
    case 'numberDoesNotFit':
      return report(
        `the number ${String(error.value)} at ${at}`,
        `beside ${error.dtype} it must be ${rangeOf[error.dtype]}`,
        `cast the tensor with toF32 first, or choose another number`,
      )
    case 'badStep':
      return report(
        `${error.op} along '${error.axis}' at ${at}`,
        `the step is ${String(error.step)} and must be a whole number of at least 1`,
        `use a positive whole step`,
      )
    case 'doesNotDivide':
      return report(
        `${error.op} of '${error.axis}' at ${at}`,
        `the axis has size ${error.size.text}, which ${String(error.by)} does not divide`,
        `choose a size that divides it, or slice or pad the axis first`,
      )
    case 'axesDiffer':
      return report(
        `${error.op} at ${at}`,
        `the axes must be ${listed(error.expected)} and are ${listed(error.given)}`,
        `sum, rename or broadcast until they are the same`,
      )
    case 'cotangentsMissing':
      return report(
        `${error.op} at ${at}`,
        `its vjp gives ${String(error.given)} cotangents for ${String(error.operands)} operands`,
        `give one for each operand in order, 'none' where there is none`,
      )
    case 'notLinear':
      return report(
        `forward mode of ${error.op} at ${at}`,
        `it is the transpose of the vjp, and this one is not linear in the cotangent`,
        `use reverse mode alone (grad, vjp), or make the vjp of the cotangent by sums, products with other tensors and selections`,
      )
  }
}
