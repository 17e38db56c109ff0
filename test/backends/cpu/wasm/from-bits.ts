import type { Expr } from '../../../../backends/cpu/wasm/asm.js'

/** The constant with exactly these bits: a NaN's payload survives, which a JavaScript number does not promise. */
export const f32FromBits = (bits: number): Expr<'f32'> => ({ tag: 'const', type: 'f32', bits: bits >>> 0 }) as Expr<'f32'>
export const f64FromBits = (bits: bigint): Expr<'f64'> => ({ tag: 'const', type: 'f64', bits: BigInt.asUintN(64, bits) }) as Expr<'f64'>
