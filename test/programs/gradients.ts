import { cotangentOf, cotangents } from '../../autodiff/index.js'
import { type AnyTensor, build, topological } from '../../dsl/index.js'
import type { Assembled } from './assemble.js'

const isSource = ({ node, dtype }: AnyTensor): boolean => node.tag === 'input' && dtype === 'f32' && node.path.startsWith('inputs.')

/** A program that gives also the gradient, by each float input, of the sum of all float outputs. */
export const withGradients = (assembled: Assembled): Assembled => {
  const { program } = assembled
  const floats = Object.values(program.outputs).filter(({ dtype }) => dtype === 'f32')
  const sources = topological(floats).filter(isSource)
  const flow = cotangents(
    floats.map((y) => [y, build.filled(1, y)]),
    sources,
  )
  const gradients = Object.fromEntries(sources.map((source, i) => [`g${String(i)}`, cotangentOf(flow, source)]))
  return { ...assembled, program: { ...program, outputs: { ...program.outputs, ...gradients } } }
}
