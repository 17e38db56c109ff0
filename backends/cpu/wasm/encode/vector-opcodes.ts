import type { ValType } from './module.js'

/** `[opcode, operand types, result type]`. Above one byte: `0xPP_SSSS` is the prefix byte PP and then SSSS in LEB128. */
export type NumericRow = readonly [code: number, takes: readonly ValType[], gives: ValType]

const one = ['v128'] as const
const two = ['v128', 'v128'] as const
const three = ['v128', 'v128', 'v128'] as const
const shifted = ['v128', 'i32'] as const

/** The instructions on vectors of 128 bits that have no immediates. */
export const vectorOps = {
  // bits
  'v128.not': [0xfd_004d, one, 'v128'],
  'v128.and': [0xfd_004e, two, 'v128'],
  'v128.andnot': [0xfd_004f, two, 'v128'],
  'v128.or': [0xfd_0050, two, 'v128'],
  'v128.xor': [0xfd_0051, two, 'v128'],
  'v128.bitselect': [0xfd_0052, three, 'v128'],
  'v128.any_true': [0xfd_0053, one, 'i32'],
  // four i32
  'i32x4.splat': [0xfd_0011, ['i32'], 'v128'],
  'i32x4.eq': [0xfd_0037, two, 'v128'],
  'i32x4.ne': [0xfd_0038, two, 'v128'],
  'i32x4.lt_s': [0xfd_0039, two, 'v128'],
  'i32x4.lt_u': [0xfd_003a, two, 'v128'],
  'i32x4.gt_s': [0xfd_003b, two, 'v128'],
  'i32x4.gt_u': [0xfd_003c, two, 'v128'],
  'i32x4.le_s': [0xfd_003d, two, 'v128'],
  'i32x4.le_u': [0xfd_003e, two, 'v128'],
  'i32x4.ge_s': [0xfd_003f, two, 'v128'],
  'i32x4.ge_u': [0xfd_0040, two, 'v128'],
  'i32x4.abs': [0xfd_00a0, one, 'v128'],
  'i32x4.neg': [0xfd_00a1, one, 'v128'],
  'i32x4.all_true': [0xfd_00a3, one, 'i32'],
  'i32x4.shl': [0xfd_00ab, shifted, 'v128'],
  'i32x4.shr_s': [0xfd_00ac, shifted, 'v128'],
  'i32x4.shr_u': [0xfd_00ad, shifted, 'v128'],
  'i32x4.add': [0xfd_00ae, two, 'v128'],
  'i32x4.sub': [0xfd_00b1, two, 'v128'],
  'i32x4.mul': [0xfd_00b5, two, 'v128'],
  'i32x4.min_s': [0xfd_00b6, two, 'v128'],
  'i32x4.min_u': [0xfd_00b7, two, 'v128'],
  'i32x4.max_s': [0xfd_00b8, two, 'v128'],
  'i32x4.max_u': [0xfd_00b9, two, 'v128'],
  // two i64
  'i64x2.splat': [0xfd_0012, ['i64'], 'v128'],
  'i64x2.shl': [0xfd_00cb, shifted, 'v128'],
  'i64x2.shr_s': [0xfd_00cc, shifted, 'v128'],
  'i64x2.shr_u': [0xfd_00cd, shifted, 'v128'],
  'i64x2.add': [0xfd_00ce, two, 'v128'],
  'i64x2.sub': [0xfd_00d1, two, 'v128'],
  'i64x2.eq': [0xfd_00d6, two, 'v128'],
  // four f32
  'f32x4.splat': [0xfd_0013, ['f32'], 'v128'],
  'f32x4.eq': [0xfd_0041, two, 'v128'],
  'f32x4.ne': [0xfd_0042, two, 'v128'],
  'f32x4.lt': [0xfd_0043, two, 'v128'],
  'f32x4.gt': [0xfd_0044, two, 'v128'],
  'f32x4.le': [0xfd_0045, two, 'v128'],
  'f32x4.ge': [0xfd_0046, two, 'v128'],
  'f32x4.ceil': [0xfd_0067, one, 'v128'],
  'f32x4.floor': [0xfd_0068, one, 'v128'],
  'f32x4.trunc': [0xfd_0069, one, 'v128'],
  'f32x4.nearest': [0xfd_006a, one, 'v128'],
  'f32x4.abs': [0xfd_00e0, one, 'v128'],
  'f32x4.neg': [0xfd_00e1, one, 'v128'],
  'f32x4.sqrt': [0xfd_00e3, one, 'v128'],
  'f32x4.add': [0xfd_00e4, two, 'v128'],
  'f32x4.sub': [0xfd_00e5, two, 'v128'],
  'f32x4.mul': [0xfd_00e6, two, 'v128'],
  'f32x4.div': [0xfd_00e7, two, 'v128'],
  'f32x4.min': [0xfd_00e8, two, 'v128'],
  'f32x4.max': [0xfd_00e9, two, 'v128'],
  'f32x4.pmin': [0xfd_00ea, two, 'v128'],
  'f32x4.pmax': [0xfd_00eb, two, 'v128'],
  // two f64
  'f64x2.splat': [0xfd_0014, ['f64'], 'v128'],
  'f64x2.eq': [0xfd_0047, two, 'v128'],
  'f64x2.ne': [0xfd_0048, two, 'v128'],
  'f64x2.lt': [0xfd_0049, two, 'v128'],
  'f64x2.gt': [0xfd_004a, two, 'v128'],
  'f64x2.le': [0xfd_004b, two, 'v128'],
  'f64x2.ge': [0xfd_004c, two, 'v128'],
  'f64x2.ceil': [0xfd_0074, one, 'v128'],
  'f64x2.floor': [0xfd_0075, one, 'v128'],
  'f64x2.trunc': [0xfd_007a, one, 'v128'],
  'f64x2.nearest': [0xfd_0094, one, 'v128'],
  'f64x2.abs': [0xfd_00ec, one, 'v128'],
  'f64x2.neg': [0xfd_00ed, one, 'v128'],
  'f64x2.sqrt': [0xfd_00ef, one, 'v128'],
  'f64x2.add': [0xfd_00f0, two, 'v128'],
  'f64x2.sub': [0xfd_00f1, two, 'v128'],
  'f64x2.mul': [0xfd_00f2, two, 'v128'],
  'f64x2.div': [0xfd_00f3, two, 'v128'],
  'f64x2.pmin': [0xfd_00f6, two, 'v128'],
  'f64x2.pmax': [0xfd_00f7, two, 'v128'],
  // conversions
  'f32x4.demote_f64x2_zero': [0xfd_005e, one, 'v128'],
  'f64x2.promote_low_f32x4': [0xfd_005f, one, 'v128'],
  'i32x4.trunc_sat_f32x4_s': [0xfd_00f8, one, 'v128'],
  'i32x4.trunc_sat_f32x4_u': [0xfd_00f9, one, 'v128'],
  'f32x4.convert_i32x4_s': [0xfd_00fa, one, 'v128'],
  'f32x4.convert_i32x4_u': [0xfd_00fb, one, 'v128'],
  // relaxed: x·y + z rounded once or twice, as the machine likes
  'f32x4.relaxed_madd': [0xfd_0105, three, 'v128'],
  'i32x4.trunc_sat_f64x2_s_zero': [0xfd_00fc, one, 'v128'],
  'f64x2.convert_low_i32x4_s': [0xfd_00fe, one, 'v128'],
} as const satisfies Readonly<Record<string, NumericRow>>

/** `[opcode, operand types, result type, how many lanes it names, below which number]`. */
type LaneRow = readonly [code: number, takes: readonly ValType[], gives: ValType, names: number, below: number]

/** The instructions whose immediates are numbers of lanes. */
export const laneOps = {
  'i8x16.shuffle': [0xfd_000d, two, 'v128', 16, 32],
  'i32x4.extract_lane': [0xfd_001b, one, 'i32', 1, 4],
  'i32x4.replace_lane': [0xfd_001c, ['v128', 'i32'], 'v128', 1, 4],
  'f32x4.extract_lane': [0xfd_001f, one, 'f32', 1, 4],
  'f32x4.replace_lane': [0xfd_0020, ['v128', 'f32'], 'v128', 1, 4],
} as const satisfies Readonly<Record<string, LaneRow>>

export type LaneOp = keyof typeof laneOps
