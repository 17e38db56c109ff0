import type { FoldOp, Kernel, Statement } from '../../../compiler/index.js'
import type { DType } from '../../../dsl/index.js'
import { spell } from './scalar.js'
import { workgroupSizeOf } from './space.js'

export type Join = Extract<Statement, { readonly tag: 'join' }>

/** What a subgroup's own operation gives that ours does: of floats it adds, but its greatest of NaN and a number may be the number. */
const subgroupFold: { readonly [O in FoldOp]: (dtype: DType) => string | undefined } = {
  add: () => 'subgroupAdd',
  max: (dtype) => (dtype === 'f32' ? undefined : 'subgroupMax'),
  min: (dtype) => (dtype === 'f32' ? undefined : 'subgroupMin'),
}

/** Whether a kernel joins by subgroups, where the device has them. */
export const usesSubgroups = ({ body }: Kernel): boolean => body.some((s) => s.tag === 'join' && subgroupFold[s.op](s.dtype) !== undefined)

/** Each subgroup folds its own, and everyone folds what the subgroups have. */
const bySubgroups = ({ name, dtype, op, memory }: Join, fold: string, size: number): readonly string[] => [
  `${name} = ${fold}(${name});`,
  `if lane_in_subgroup == 0u { b${String(memory)}[local.x / subgroup_lanes] = ${name}; }`,
  'workgroupBarrier();',
  `${name} = b${String(memory)}[0];`,
  `for (var s = 1u; s < ${String(size)}u / subgroup_lanes; s++) { ${name} = ${spell(op, dtype, [name, `b${String(memory)}[s]`])}; }`,
  'workgroupBarrier();',
]

/** Halves are folded into halves, the upper into the lower. */
const byHalves = ({ name, dtype, op, memory }: Join, size: number): readonly string[] => {
  const at = (lane: string): string => `b${String(memory)}[${lane}]`
  return [
    `${at('local.x')} = ${name};`,
    'workgroupBarrier();',
    `for (var s = ${String(size / 2)}u; s > 0u; s /= 2u) {`,
    `  if local.x < s { ${at('local.x')} = ${spell(op, dtype, [at('local.x'), at('local.x + s')])}; }`,
    '  workgroupBarrier();',
    '}',
    `${name} = ${at('0')};`,
    'workgroupBarrier();',
  ]
}

/** What the invocations of a workgroup have in a variable, folded: each has all of it afterwards, and the memory is free again. */
export const emitJoin = (s: Join, kernel: Kernel, hasSubgroups: boolean): readonly string[] => {
  const size = workgroupSizeOf(kernel)
  const fold = hasSubgroups ? subgroupFold[s.op](s.dtype) : undefined
  return fold === undefined ? byHalves(s, size) : bySubgroups(s, fold, size)
}
