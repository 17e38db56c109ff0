import type { Kernel, Loop, Statement } from '../../../compiler/index.js'
import type { DType } from '../../../dsl/index.js'
import { type Around, emitExpr, emitOperand, indexName, literalsFor } from './expr.js'
import { preludeFor } from './prelude.js'
import { quarterName } from './quarters.js'
import { readsFirst } from './reads-first.js'
import { emitJoin, type Join, usesSubgroups } from './join.js'
import { placeOf, workgroupSizeOf } from './space.js'
import type { Store, VectorStore } from './stores.js'
import { type Read, type Vector, type Vectors, vectorsOf } from './vectors.js'

/** The first words of a kernel's parameter block: a 0 that the driver does not know. Then its parameters, a word each. */
export const reservedWords = 1

/** The bytes of a kernel's parameter block: whole vectors of four words. */
export const parameterBytes = ({ parameters }: Kernel): number => 16 * Math.ceil((reservedWords + parameters.length) / 4)

const stored: { readonly [D in DType]: string } = { f32: 'f32', i32: 'i32', u32: 'u32', bool: 'u32' }

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)

const block = (head: string, body: readonly string[]): readonly string[] => [`${head} {`, ...indented(body), '}']

/** What all statements of a kernel share. */
interface Body {
  /** Whether a buffer's floats are stored in f16. */
  readonly isHalves: (buffer: number) => boolean
  readonly join: (s: Join) => readonly string[]
  /** Whether the driver is kept from seeing how often a loop turns. */
  readonly hidesExtents: boolean
  readonly vectors: Vectors
  /** Names for the parts of expressions that nest too deep: one count for the kernel. */
  readonly newName: () => string
  /** The vectors that have been read, by their parts. */
  readonly parts: Map<Read, string>
  /** The values of vectors that are not written yet, by the statements that would write them. */
  readonly values: Map<Statement, string>
}

const emitList = (list: readonly Statement[], body: Body): readonly string[] => {
  const vectors = body.vectors.inList.get(list) ?? []
  return list.flatMap((s, i) => [
    ...vectors.flatMap((vector) => (vector.before === i ? emitVector(vector, body) : [])),
    ...emitStatement(s, body),
  ])
}

const around = ({ vectors, parts, isHalves, newName }: Body, before: string[]): Around => ({
  hoist: (value) => {
    const name = newName()
    before.push(`let ${name} = ${value};`)
    return name
  },
  partOf: (read) => parts.get(read),
  isVectors: (buffer) => vectors.buffers.has(buffer),
  isHalves,
})

/** Where a vector lies among vectors. */
const vectorText = ({ at, quarter }: Pick<Vector, 'at' | 'quarter'>, here: Around): string =>
  quarter === undefined ? `u32(${emitExpr(at, here)}) / 4u` : emitExpr(quarter, here)

const emitVector = (vector: Vector, body: Body): readonly string[] => {
  const { buffer, parts } = vector
  const before: string[] = []
  const here = around(body, before)
  const place = vectorText(vector, here)
  const name = body.newName()
  for (const [read, part] of parts) body.parts.set(read, `${name}.${'xyzw'[part] ?? ''}`)
  const read = `b${String(buffer)}[${place}]`
  return [...before, `let ${name} = ${body.isHalves(buffer) ? `vec4<f32>(${read})` : read};`]
}

/** A value as its buffer holds it. */
const storedText = ({ buffer, value }: Store, here: Around): string => {
  const text = emitExpr(value, here)
  return value.dtype === 'bool' ? `select(0u, 1u, ${text})` : here.isHalves(buffer) ? `f16(${text})` : text
}

const emitStore = (s: Store, body: Body, here: Around): readonly string[] => {
  const vector = body.vectors.stores.get(s)
  if (vector === undefined) return [`b${String(s.buffer)}[${emitExpr(s.at, here)}] = ${storedText(s, here)};`]
  const name = body.newName()
  body.values.set(s, name)
  return [`let ${name} = ${storedText(s, here)};`, ...(s === vector.last ? [emitVectorStore(vector, body, here)] : [])]
}

const emitVectorStore = (vector: VectorStore, { isHalves, values }: Body, here: Around): string => {
  const { buffer, parts } = vector
  const type = isHalves(buffer) ? 'f16' : stored[parts[0]!.value.dtype]
  return `b${String(buffer)}[${vectorText(vector, here)}] = vec4<${type}>(${parts.map((part) => values.get(part)).join(', ')});`
}

/**
 * How often a loop turns. A driver would unroll one of a literal's turns, and a kernel of several such loops takes it minutes to compile; those
 * of a workgroup are few and short, and gain by it.
 */
const turnsText = ({ extent }: Loop, { hidesExtents }: Body, here: Around): string =>
  hidesExtents && extent.tag === 'literal' ? `i32(${String(extent.value)}u | words[0].x)` : emitExpr(extent, here)

const emitStatement = (s: Statement, body: Body): readonly string[] => {
  const before: string[] = []
  const here = around(body, before)
  const lines = ((): readonly string[] => {
    switch (s.tag) {
      case 'let': {
        const quarter = body.vectors.quarters.get(s.name)
        return [
          `let ${s.name} = ${emitOperand(s.value, here)};`,
          ...(quarter === undefined ? [] : [`let ${quarterName(s.name)} = ${emitExpr(quarter, here)};`]),
        ]
      }
      case 'var':
        return [`var ${s.name} = ${emitOperand(s.value, here)};`]
      case 'assign':
        return [`${s.name} = ${emitExpr(s.value, here)};`]
      case 'for': {
        const index = indexName(s.loop.index)
        return block(`for (var ${index} = 0; ${index} < ${turnsText(s.loop, body, here)}; ${index}++)`, emitList(s.body, body))
      }
      case 'if':
        return block(`if ${emitExpr(s.condition, here)}`, emitList(s.body, body))
      case 'barrier':
        return ['workgroupBarrier();']
      case 'join':
        return body.join(s)
      case 'store':
        return emitStore(s, body, here)
    }
  })()
  return [...before, ...lines]
}

const word = (slot: number): string => `words[${String(Math.floor(slot / 4))}].${'xyzw'[slot % 4] ?? ''}`

/** Only the parameters that the text mentions are read from the block. */
const parametersFor = ({ parameters }: Kernel, text: string): readonly string[] =>
  parameters.flatMap((type, slot) =>
    new RegExp(`\\bp${String(slot)}\\b`).test(text) ? [`let p${String(slot)} = bitcast<${type}>(${word(slot + reservedWords)});`] : [],
  )

const builtins: readonly string[] = [
  '@builtin(workgroup_id) group: vec3<u32>',
  '@builtin(num_workgroups) groups: vec3<u32>',
  '@builtin(local_invocation_id) local: vec3<u32>',
]

const subgroupBuiltins: readonly string[] = [
  '@builtin(subgroup_size) subgroup_lanes: u32',
  '@builtin(subgroup_invocation_id) lane_in_subgroup: u32',
]

export interface EmitSettings {
  /** Whether the device has subgroups, all of one size. */
  readonly subgroups?: boolean
}

/**
 * A kernel in WGSL: one invocation for each point of its space. Everything is bound as `read_write`: a dispatch may then read and write
 * disjoint parts of one buffer, the arena. Neighbours are read as vectors where they surely lie at a multiple of four, for which `multiples`
 * says by what each parameter can be divided. The text depends on these and on the kernel, and not on its name.
 */
export const emitKernel = (kernel: Kernel, multiples: readonly number[] = [], { subgroups = false }: EmitSettings = {}): string => {
  const bySubgroups = subgroups && usesSubgroups(kernel)
  let count = 0
  const statements = readsFirst(kernel.body)
  const vectors = vectorsOf(kernel, statements, multiples)
  const body = [
    ...placeOf(kernel),
    ...emitList(statements, {
      hidesExtents: kernel.workgroup === undefined,
      isHalves: (buffer) => kernel.buffers[buffer]?.inHalves === true,
      join: (s) => emitJoin(s, kernel, bySubgroups),
      vectors,
      newName: () => `x${String(count++)}`,
      parts: new Map(),
      values: new Map(),
    }),
  ]
  const text = body.join('\n')
  const main = [...parametersFor(kernel, text), ...literalsFor(text), ...body]
  return [
    ...(/\bf16\(|: vec4<f16>/.test(text) || kernel.buffers.some(({ inHalves }) => inHalves) ? ['enable f16;', ''] : []),
    ...(bySubgroups ? ['enable subgroups;', ''] : []),
    `@group(0) @binding(0) var<uniform> words: array<vec4<u32>, ${String(parameterBytes(kernel) / 16)}>;`,
    ...kernel.buffers.map(({ dtype, inHalves }, i) => {
      const type = inHalves === true ? 'f16' : stored[dtype]
      return `@group(0) @binding(${String(i + 1)}) var<storage, read_write> b${String(i)}: array<${vectors.buffers.has(i) ? `vec4<${type}>` : type}>;`
    }),
    ...(kernel.workgroup?.shared ?? []).map(
      ({ dtype, elements }, i) => `var<workgroup> b${String(kernel.buffers.length + i)}: array<${stored[dtype]}, ${String(elements)}>;`,
    ),
    '',
    ...preludeFor(main.join('\n')).map((helper) => `${helper}\n`),
    `@compute @workgroup_size(${String(workgroupSizeOf(kernel))})`,
    ...block(`fn main(${[...builtins, ...(bySubgroups ? subgroupBuiltins : [])].join(', ')})`, main),
    '',
  ].join('\n')
}
