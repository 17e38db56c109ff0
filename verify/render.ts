import { countOf, listed, renderBindError, renderProgramError, report, type Value } from '../dsl/index.js'
import { type Reach, reachOf, renderFlow } from './flow.js'
import type { Failure, Fault, Report } from './report.js'

const digits = (x: number): string => String(Number(x.toPrecision(9)))

const place = (input: string, index: number, value: Value | undefined): string =>
  value === undefined || value.sizes.length === 0 ? input : `${input}[${indicesOf(index, value.sizes).join(', ')}]`

const indicesOf = (index: number, sizes: readonly number[]): readonly number[] =>
  sizes.map((size, axis) => Math.floor(index / countOf(sizes.slice(axis + 1))) % size)

/** `[[0.5, 1], [0, 2]]` */
const nested = ({ sizes, data }: Value): string => {
  const [size, ...rest] = sizes
  if (size === undefined) return digits(data[0]!)
  const stride = countOf(rest)
  const rows = Array.from({ length: size }, (_, i) => nested({ sizes: rest, data: data.slice(i * stride, (i + 1) * stride) }))
  return `[${rows.join(', ')}]`
}

const faultLine = (fault: Fault, counterexample: Readonly<Record<string, Value>>): string => {
  switch (fault.tag) {
    case 'notFinite':
      return fault.input === undefined || fault.index === undefined
        ? `${fault.what} is ${String(fault.value)}`
        : `${fault.what} by ${place(fault.input, fault.index, counterexample[fault.input])} is ${String(fault.value)}`
    case 'gradientDiffers':
      return [
        `the ${fault.order === 1 ? 'gradient' : 'second derivative'} by ${place(fault.input, fault.index, counterexample[fault.input])}`,
        ` is ${digits(fault.reverse)} by reverse mode and ${digits(fault.differences)} by differences`,
      ].join('')
    case 'modesDiffer':
      return `a directional derivative is ${digits(fault.forward)} by forward mode and ${digits(fault.reverse)} by reverse mode`
    case 'tiesDiffer':
      return [
        `the derivative in a direction in which equal elements stay equal is ${digits(fault.reverse)} by reverse mode`,
        ` and ${digits(fault.differences)} by differences`,
      ].join('')
    case 'doesNotFit':
      return `the loss cannot be run with values that were drawn as ranges say\n${fault.errors.map(renderBindError).join('\n')}`
  }
}

const reachWords = (reach: Reach | undefined): string =>
  ({ whole: 'on every way', partly: 'on some ways alone', none: 'on none' })[reach ?? 'none']

const renderFailure = (name: string, failure: Failure): string => {
  switch (failure.tag) {
    case 'badGraph':
      return failure.errors.map(renderProgramError).join('\n')
    case 'notScalar':
      return report(
        `the loss '${name}'`,
        `it must be a scalar f32 and is ${failure.dtype} with axes ${listed(failure.axes)}`,
        `end it with a sum or a mean over its axes`,
      )
    case 'badRange':
      return report(
        `the range ${failure.range.join(' to ')}${failure.range.length > 0 ? ' ' : ''}of '${failure.input}' in the loss '${name}'`,
        failure.because,
        `give --range INPUT=LOW,HIGH (or ranges) with two numbers that the input can have`,
      )
    case 'flowDiffers':
      return report(
        `the gradient by '${failure.input}' of the loss '${name}'`,
        `it is to reach it ${reachWords(failure.expected)} and ${failure.found === undefined ? 'there is no such input' : `reaches it ${reachWords(reachOf(failure.found))}`}`,
        `see the table of gradients; stopGradient stops one, and \`gradients\` says what is expected`,
      )
    case 'noSizes':
      return failure.errors.map(renderBindError).join('\n')
    case 'nothingCompared':
      return report(
        `the loss '${name}'`,
        `no derivative could be compared: no float input reaches it, or every point tried was at a kink`,
        `see the table of gradients, or give ranges for the inputs`,
      )
    case 'notFinite':
    case 'gradientDiffers':
    case 'modesDiffer':
    case 'tiesDiffer':
    case 'doesNotFit':
      return [
        faultLine(failure, failure.counterexample),
        ...Object.entries(failure.counterexample).map(([input, value]) => `  ${input} = ${nested(value)}`),
        ...(failure.tag === 'notFinite' ? [`  try: give ranges for inputs that are not any number, or guard the operation`] : []),
        `  replay: ${failure.replay}`,
      ].join('\n')
  }
}

const plural = (n: number, word: string): string => `${String(n)} ${word}${n === 1 ? '' : 's'}`

/** A report to be read: the verdict, how a gradient reaches each input, what was compared, and the smallest counterexample. */
export const renderReport = ({ name, runs, inputs, flow, failure }: Report): string => {
  const [compared, kinks] = [inputs.reduce((n, i) => n + i.compared, 0), inputs.reduce((n, i) => n + i.kinks, 0)]
  const verdict = `${failure === undefined ? 'passed' : 'FAILED'}  ${name}`
  const amount = `  ${plural(runs, 'sample')}, ${plural(compared, 'derivative')} compared, ${String(kinks)} left out at kinks`
  return [verdict, amount, renderFlow(flow), ...(failure === undefined ? [] : ['', renderFailure(name, failure)])].join('\n')
}
