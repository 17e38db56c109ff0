import type { DType, ScalarOp } from '../dsl/index.js'

/**
 * The loop language: what a kernel does, in ranges, reads with index maps, writes and scalar expressions. It is executed by a plain
 * interpreter, and emitted as WGSL and as WebAssembly. A kernel holds no size that is open and no number but 0, ±1 and whole
 * ones: what changes from run to run reaches it as parameters, so its text is the same for every batch.
 */

/**
 * The scalar operations; the whole-number division that index maps need, of a non-negative i32 by a positive one; and the product of two floats as
 * f16 makes it, its operands and itself rounded.
 */
export type LoopOp = ScalarOp | 'quotient' | 'remainder' | 'mulHalves'

export type Expr =
  | { readonly tag: 'literal'; readonly dtype: DType; readonly value: number }
  /** A word of the kernel's parameter block. */
  | { readonly tag: 'parameter'; readonly dtype: 'i32' | 'f32'; readonly slot: number }
  /** The i32 index of a loop. */
  | { readonly tag: 'index'; readonly dtype: 'i32'; readonly name: string }
  /** What a `let` or a `var` has named. */
  | { readonly tag: 'variable'; readonly dtype: DType; readonly name: string }
  | { readonly tag: 'read'; readonly dtype: DType; readonly buffer: number; readonly at: Expr }
  | { readonly tag: 'op'; readonly dtype: DType; readonly op: LoopOp; readonly operands: readonly Expr[] }

/** How numbers are folded into one. */
export type FoldOp = 'add' | 'max' | 'min'

export interface Loop {
  readonly index: string
  readonly extent: Expr
}

export type Statement =
  /** A value with a name, evaluated once where it stands. */
  | { readonly tag: 'let'; readonly name: string; readonly value: Expr }
  /** A variable that `assign` changes. */
  | { readonly tag: 'var'; readonly name: string; readonly value: Expr }
  | { readonly tag: 'assign'; readonly name: string; readonly value: Expr }
  /** index = 0, 1, … extent − 1, in this order. */
  | { readonly tag: 'for'; readonly loop: Loop; readonly body: readonly Statement[] }
  | { readonly tag: 'if'; readonly condition: Expr; readonly body: readonly Statement[] }
  | { readonly tag: 'store'; readonly buffer: number; readonly at: Expr; readonly value: Expr }
  /** Every invocation of the workgroup comes here before any goes on. All of them come, whatever loops and conditions it stands in. */
  | { readonly tag: 'barrier' }
  /** What the invocations of a workgroup have in a variable of this name, folded in an order that is always the same: each has all of it. All of them come. */
  | { readonly tag: 'join'; readonly name: string; readonly dtype: DType; readonly op: FoldOp; readonly memory: number }

/** The expressions directly inside one. */
export const partsOf = (e: Expr): readonly Expr[] => (e.tag === 'op' ? e.operands : e.tag === 'read' ? [e.at] : [])

/** The expressions of a statement itself, not of those inside it. */
export const ownExprs = (s: Statement): readonly Expr[] => {
  switch (s.tag) {
    case 'let':
    case 'var':
    case 'assign':
      return [s.value]
    case 'for':
      return [s.loop.extent]
    case 'if':
      return [s.condition]
    case 'store':
      return [s.at, s.value]
    case 'barrier':
    case 'join':
      return []
  }
}

export type Access = 'read' | 'write' | 'readWrite'

export interface KernelBuffer {
  readonly dtype: DType
  readonly access: Access
  /** Whether its floats are stored in f16, and so rounded where they are written. */
  readonly inHalves?: true
}

/** What one dispatch runs: the body at every point of the space, in any order. No two points write one element. */
export interface Kernel {
  readonly name: string
  readonly buffers: readonly KernelBuffer[]
  readonly parameters: readonly ('i32' | 'f32')[]
  /** Outermost first. */
  readonly space: readonly Loop[]
  readonly body: readonly Statement[]
  /** Where points work together. */
  readonly workgroup?: Workgroup
}

/** Points that share memory and wait for each other. */
export interface Workgroup {
  /** How many of the innermost loops of the space go through the points of one workgroup; their extents are literals. */
  readonly loops: number
  /** The memories that they share, which are buffers after those of the kernel. */
  readonly shared: readonly { readonly dtype: DType; readonly elements: number }[]
}

/** The buffers that a kernel writes. */
export const writtenBy = ({ buffers }: Pick<Kernel, 'buffers'>): ReadonlySet<number> =>
  new Set(buffers.flatMap(({ access }, i) => (access === 'read' ? [] : [i])))

/** Statements inside loops, the first of which is outermost. */
export const inLoops = (loops: readonly Loop[], body: readonly Statement[]): readonly Statement[] =>
  loops.reduceRight<readonly Statement[]>((inner, loop) => [{ tag: 'for', loop, body: inner }], body)
