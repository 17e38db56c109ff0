import fc from 'fast-check'
import { jacobian, type Mode, tangents } from '../../autodiff/index.js'
import { type AnyTensor, axisNames, build, rewrite } from '../../dsl/index.js'
import { law } from '../law.js'
import { programsOf } from '../programs/index.js'
import { evaluated, scalarized, withDirections } from './scalarized.js'

type Params = Readonly<Record<string, AnyTensor>>

type Untyped = (f: (params: Params) => readonly AnyTensor[], mode: Mode) => (params: Params) => readonly Params[]

/** The same expressions over other inputs. */
const over =
  (results: readonly AnyTensor[]) =>
  (params: Params): readonly AnyTensor[] =>
    rewrite((x, rebuilt) => (x.node.tag === 'input' ? (params[x.node.path] ?? x) : build.over(x, rebuilt)))(results)

const seconds = (x: AnyTensor): Readonly<Record<string, string>> => Object.fromEntries(axisNames(x).map((name) => [name, `∂${name}`]))

/** Σ over the second axes of J·v. */
const times = (j: AnyTensor, v: AnyTensor): AnyTensor => build.contract(...Object.values(seconds(v)))(j, build.rename(seconds(v))(v))

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-11 * (1 + Math.abs(a) + Math.abs(b))

law(
  'the Jacobian is the same by either mode, and times a direction the derivative in it',
  fc.property(programsOf({ states: 0 }), (p) => {
    const made = scalarized(p)
    if (made === undefined) return true
    const { sources } = made.objective
    const floats = Object.values(p.program.outputs).filter(({ dtype }) => dtype === 'f32')
    const [forward, reverse] = (['forward', 'reverse'] as const).map((mode) =>
      (jacobian as unknown as Untyped)(over(floats), mode)(Object.fromEntries(sources.map(({ path, value }) => [path, value]))),
    )
    const directions = sources.map(({ path, value }) => build.input(`direction.${path}`, 'f32', value.axes))
    const along = tangents(
      floats,
      sources.map(({ value }, i) => [value, directions[i]!]),
    )
    const pairs = floats.flatMap((y, i): (readonly [AnyTensor, AnyTensor])[] => {
      const [row, other] = [forward![i]!, reverse![i]!]
      const terms = sources.map(({ path }, j) => times(row[path]!, directions[j]!))
      const total = terms.reduce((sum, term) => build.binary('add')(sum, term), build.filled(0, y))
      return [[total, along[i]!], ...sources.map(({ path }) => [row[path]!, other[path]!] as const)]
    })
    const values = evaluated(pairs.flat(), withDirections(made))
    return pairs.every(([x, y]) => {
      const [left, right] = [x, y].map(({ node }) => values.get(node)!)
      return (
        left!.axes.join() === right!.axes.join() &&
        left!.data.length === right!.data.length &&
        left!.data.every((element, i) => close(element, right!.data[i]!))
      )
    })
  }),
)
