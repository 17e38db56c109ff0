import type { MemoryOp, NumericOp } from './opcodes.js'
import type { LaneOp } from './vector-opcodes.js'

/** A WebAssembly module as plain data, read by the encoder and by the printer. Equal modules give equal bytes. */
export interface WasmModule {
  readonly memory?: MemoryImport
  readonly functions: readonly WasmFunction[]
}

export interface MemoryImport {
  readonly module: string
  readonly name: string
  /** In pages of 64 KiB. */
  readonly min: number
  readonly max: number
  readonly shared: boolean
}

export interface WasmFunction {
  readonly name: string
  readonly params: readonly Variable[]
  readonly results: readonly ValType[]
  readonly locals: readonly Variable[]
  /** The last instructions leave the results. */
  readonly body: readonly Instr[]
  readonly exported: boolean
}

export interface Variable {
  readonly name: string
  readonly type: ValType
}

export type ValType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128'

interface Instructions {
  readonly numeric: { readonly op: NumericOp; readonly args: readonly Instr[] }
  readonly memory: { readonly op: MemoryOp; readonly offset: number; readonly align: number; readonly args: readonly Instr[] }
  readonly lane: { readonly op: LaneOp; readonly lanes: readonly number[]; readonly args: readonly Instr[] }
  readonly const: Literal
  readonly get: Variable
  readonly set: { readonly name: string; readonly value: Instr }
  readonly tee: { readonly name: string; readonly value: Instr }
  readonly block: { readonly label: string; readonly result: ValType | null; readonly body: readonly Instr[] }
  readonly loop: { readonly label: string; readonly body: readonly Instr[] }
  readonly if: {
    readonly condition: Instr
    readonly result: ValType | null
    readonly then: readonly Instr[]
    readonly else: readonly Instr[]
  }
  readonly br: { readonly label: string }
  readonly br_if: { readonly label: string; readonly condition: Instr }
  readonly call: { readonly fn: string; readonly args: readonly Instr[] }
  readonly select: { readonly then: Instr; readonly else: Instr; readonly condition: Instr }
  readonly drop: { readonly value: Instr }
}

/** A constant by its bits, so that −0 and the payload of a NaN survive. `i32` is signed or unsigned alike; of a vector, lane 0 is lowest. */
export type Literal =
  { readonly type: 'i32' | 'f32'; readonly bits: number } | { readonly type: 'i64' | 'f64' | 'v128'; readonly bits: bigint }

/** A folded instruction: its operands are inside it. Variables, labels and functions go by name. */
export type Instr = { [T in keyof Instructions]: { readonly tag: T } & Instructions[T] }[keyof Instructions]
export type InstrOf<T extends Instr['tag']> = Extract<Instr, { readonly tag: T }>
