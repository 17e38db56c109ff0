import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { baseline, interpret, layout, type Limits, lifetimes, liveBytes, type Plan, plan } from '../../compiler/index.js'
import { bind, givenValues, leaves } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram } from '../programs/index.js'

const planFor = ({ program }: AnyProgram, limits: Limits = baseline): Plan =>
  pipe(
    plan(program, limits),
    E.getOrElseW((errors) => {
      throw new Error(errors.map(({ tag }) => tag).join(', '))
    }),
  )

const isData = (x: unknown): x is Float32Array => ArrayBuffer.isView(x)

/** The bits of everything that a program makes. */
const bits = (p: AnyProgram, limits?: Limits): readonly string[] =>
  pipe(
    interpret(planFor(p, limits))(p.inputs),
    E.fold(
      (errors) => errors.map(({ tag }) => tag),
      ({ outputs }) =>
        leaves(isData)(outputs).map(
          ({ path, value }) => `${path} ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`,
        ),
    ),
  )

const same = (xs: readonly string[], ys: readonly string[]): boolean => xs.length > 0 && xs.join('\n') === ys.join('\n')

law(
  'what is fused has the same bits as what is not',
  fc.property(anyProgram, (p) => same(bits(p), bits(p, { ...baseline, fusedNodes: 1 }))),
)

law(
  'fewer storage buffers a kernel change no bit, and none has more',
  fc.property(anyProgram, (p) => {
    const limits: Limits = { ...baseline, storageBuffers: 4 }
    return same(bits(p), bits(p, limits)) && planFor(p, limits).kernels.every(({ buffers }) => buffers.length <= 4)
  }),
)

law(
  'buffers that are alive at one time lie apart, and the arena is as large as the live bytes or somewhat larger',
  fc.property(anyProgram, (p) => {
    const made = planFor(p)
    const bound = pipe(bind(made.requirements, givenValues(p.inputs, {})), E.toUnion) as { readonly sizes: ReadonlyMap<string, number> }
    const { offsets, bytes, arena } = layout(made, bound.sizes, new Set())
    const spans = lifetimes(made)
    const apart = spans.every((a, i) =>
      spans.every((b, j) => {
        const together = i < j && a.from <= b.to && b.from <= a.to
        const [p0, p1] = [offsets[i] ?? 0, offsets[j] ?? 0]
        return !together || p0 + (bytes[i] ?? 0) <= p1 || p1 + (bytes[j] ?? 0) <= p0
      }),
    )
    return (
      apart &&
      offsets.every((offset, i) => offset >= 0 && offset + (bytes[i] ?? 0) <= arena) &&
      arena >= liveBytes(made, bound.sizes, new Set())
    )
  }),
)
