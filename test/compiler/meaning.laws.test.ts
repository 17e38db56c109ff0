import fc from 'fast-check'
import { baseline, interpret, layout, type Limits, lifetimes, liveBytes, type Plan, plan } from '../../compiler/index.js'
import { bind, givenValues, leaves } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram, largeSizes, programsOf, programsWithGradients } from '../programs/index.js'
import { right } from '../right.js'

const planFor = ({ program }: AnyProgram, limits: Limits = baseline): Plan => right(plan(program, limits))

const isData = (x: unknown): x is Float32Array => ArrayBuffer.isView(x)

/** The bits of everything that a program makes and of the state that it leaves. */
const bits = (p: AnyProgram, limits?: Limits): string =>
  leaves(isData)(right(interpret(planFor(p, limits))(p.inputs, p.state)))
    .map(({ path, value }) => `${path} ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`)
    .join('\n')

law(
  'what is fused has the same bits as what is not',
  fc.property(anyProgram, (p) => bits(p) === bits(p, { ...baseline, fusedNodes: 1 })),
)

law(
  'fewer storage buffers a kernel change no bit, and none has more',
  fc.property(anyProgram, (p) => {
    const limits: Limits = { ...baseline, storageBuffers: 4 }
    return bits(p) === bits(p, limits) && planFor(p, limits).kernels.every(({ buffers }) => buffers.length <= 4)
  }),
)

law(
  'commands read only what is given or stored before them',
  fc.property(programsWithGradients(), (p) => {
    const { buffers, commands, kernels } = planFor(p)
    const stored = new Set(buffers.flatMap(({ role }, i) => (role.tag === 'given' ? [i] : [])))
    return commands.every((command) => {
      if (command.tag === 'copy') return stored.has(command.from)
      const accesses = kernels[command.kernel]!.buffers.map(({ access }) => access)
      for (const [i, buffer] of command.buffers.entries()) if (accesses[i] !== 'read') stored.add(buffer)
      return command.buffers.every((buffer) => stored.has(buffer))
    })
  }),
  { runs: 2000 },
)

/** A plan of a program at its sizes, the state lying elsewhere: on the device. */
const placed = (p: AnyProgram) => {
  const made = planFor(p)
  const { sizes } = right(bind(made.requirements, givenValues(made.program, p.inputs, p.state)))
  const elsewhere = new Set(made.buffers.flatMap(({ role }, i) => (role.tag === 'given' && role.path.startsWith('state') ? [i] : [])))
  return { made, elsewhere, ...layout(made, sizes, elsewhere), live: liveBytes(made, sizes, elsewhere) }
}

law(
  'buffers in the arena that are alive at one time lie apart',
  fc.property(anyProgram, (p) => {
    const { made, elsewhere, offsets, bytes, arena } = placed(p)
    const blocks = lifetimes(made).flatMap((span, i) =>
      elsewhere.has(i) ? [] : [{ ...span, start: offsets[i]!, end: offsets[i]! + bytes[i]! }],
    )
    const areApart = (a: (typeof blocks)[number], b: (typeof blocks)[number]): boolean =>
      a.to < b.from || b.to < a.from || a.end <= b.start || b.end <= a.start
    return blocks.every((a, i) => a.start >= 0 && a.end <= arena && blocks.slice(i + 1).every((b) => areApart(a, b)))
  }),
  { runs: 300 },
)

const isTight = (p: AnyProgram): boolean => {
  const { arena, live } = placed(p)
  return live <= arena && arena <= 1.15 * live
}

law('the arena is at most 1.15 times the live bytes', fc.property(anyProgram, isTight), { runs: 300 })

law('so it is where buffers are larger than the alignment', fc.property(programsOf(largeSizes), isTight), { runs: 300 })
