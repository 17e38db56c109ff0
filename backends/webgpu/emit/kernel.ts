import type { Kernel, Loop, Statement } from '../../../compiler/index.js'
import type { DType } from '../../../dsl/index.js'
import { emitExpr, emitOperand, type Hoist, literalsFor } from './expr.js'
import { preludeFor } from './prelude.js'

/** Invocations of a workgroup: what every device has, and a multiple of every subgroup. */
export const workgroupSize = 64

/** The first words of a kernel's parameter block: a 0 that the driver does not know. Then its parameters, a word each. */
export const reservedWords = 1

/** The bytes of a kernel's parameter block: whole vectors of four words. */
export const parameterBytes = ({ parameters }: Kernel): number => 16 * Math.ceil((reservedWords + parameters.length) / 4)

const stored: { readonly [D in DType]: string } = { f32: 'f32', i32: 'i32', u32: 'u32', bool: 'u32' }

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)

const block = (head: string, body: readonly string[]): readonly string[] => [`${head} {`, ...indented(body), '}']

/** Names for the parts of expressions that nest too deep: one count for the kernel. */
type Names = () => string

const emitStatement = (s: Statement, names: Names): readonly string[] => {
  const before: string[] = []
  const hoist: Hoist = (value) => {
    const name = names()
    before.push(`let ${name} = ${value};`)
    return name
  }
  const nested = (body: readonly Statement[]): readonly string[] => body.flatMap((inner) => emitStatement(inner, names))
  const lines = ((): readonly string[] => {
    switch (s.tag) {
      case 'let':
        return [`let ${s.name} = ${emitOperand(s.value, hoist)};`]
      case 'var':
        return [`var ${s.name} = ${emitOperand(s.value, hoist)};`]
      case 'assign':
        return [`${s.name} = ${emitExpr(s.value, hoist)};`]
      case 'for': {
        const { index, extent } = s.loop
        return block(`for (var ${index} = 0; ${index} < ${emitExpr(extent, hoist)}; ${index}++)`, nested(s.body))
      }
      case 'if':
        return block(`if ${emitExpr(s.condition, hoist)}`, nested(s.body))
      case 'store': {
        const value = emitExpr(s.value, hoist)
        return [`b${String(s.buffer)}[${emitExpr(s.at, hoist)}] = ${s.value.dtype === 'bool' ? `select(0u, 1u, ${value})` : value};`]
      }
    }
  })()
  return [...before, ...lines]
}

const word = (slot: number): string => `words[${String(Math.floor(slot / 4))}].${'xyzw'[slot % 4] ?? ''}`

const extentText = ({ extent }: Loop): string => {
  const text = emitExpr(extent, (value) => value)
  return extent.tag === 'literal' ? `${text}u` : `u32(${text})`
}

/** What to divide by: a division by a literal 0 is an error even in a kernel that never runs. */
const divisorText = (loop: Loop): string => (loop.extent.tag === 'literal' && loop.extent.value === 0 ? '1u' : extentText(loop))

/** The place of an invocation in the kernel's space, the innermost loop fastest, so that neighbours read neighbours. */
const placeOf = (space: readonly Loop[]): readonly string[] => {
  const lines = [`let point = (group.y * groups.x + group.x) * ${String(workgroupSize)}u + lane;`]
  lines.push(`if point >= ${space.length === 0 ? '1u' : space.map(extentText).join(' * ')} { return; }`)
  let rest = 'point'
  for (const [i, loop] of [...space.entries()].toReversed()) {
    const outer = `rest${String(i)}`
    lines.push(`let ${loop.index} = i32(${i === 0 ? rest : `${rest} % ${divisorText(loop)}`});`)
    if (i > 0) lines.push(`let ${outer} = ${rest} / ${divisorText(loop)};`)
    rest = outer
  }
  return lines
}

/** Only the parameters that the text mentions are read from the block. */
const parametersFor = ({ parameters }: Kernel, text: string): readonly string[] =>
  parameters.flatMap((type, slot) =>
    new RegExp(`\\bp${String(slot)}\\b`).test(text) ? [`let p${String(slot)} = bitcast<${type}>(${word(slot + reservedWords)});`] : [],
  )

/**
 * A kernel in WGSL: one invocation for each point of its space. Everything is bound as `read_write`: a dispatch may then read and write
 * disjoint parts of one buffer, the arena. The text depends on the kernel alone, and not on its name.
 */
export const emitKernel = (kernel: Kernel): string => {
  let count = 0
  const body = [...placeOf(kernel.space), ...kernel.body.flatMap((s) => emitStatement(s, () => `x${String(count++)}`))]
  const text = body.join('\n')
  const main = [...parametersFor(kernel, text), ...literalsFor(text), ...body]
  return [
    `@group(0) @binding(0) var<uniform> words: array<vec4<u32>, ${String(parameterBytes(kernel) / 16)}>;`,
    ...kernel.buffers.map(
      ({ dtype }, i) => `@group(0) @binding(${String(i + 1)}) var<storage, read_write> b${String(i)}: array<${stored[dtype]}>;`,
    ),
    '',
    ...preludeFor(main.join('\n')).map((helper) => `${helper}\n`),
    `@compute @workgroup_size(${String(workgroupSize)})`,
    ...block(
      'fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32)',
      main,
    ),
    '',
  ].join('\n')
}
