import type { Axis, DType, Requirements, Size } from '../dsl/index.js'
import type { Reason } from './group.js'
import type { Kernel } from './loop-ir.js'
import type { Reader } from './merge.js'

/** What a parameter word holds in a run: a size as an i32, or a number as an f32. */
export type Parameter = { readonly tag: 'size'; readonly size: Size } | { readonly tag: 'number'; readonly value: number }

/** Where a buffer's bytes come from. */
export type BufferRole =
  /** What the program is given, by path: `inputs.…` or `state.…`. A state is replaced. */
  | { readonly tag: 'given'; readonly of: 'inputs' | 'state'; readonly path: string }
  /** What a command makes, in the arena. */
  | { readonly tag: 'made' }

export interface PlanBuffer {
  readonly dtype: DType
  /** Every element takes four bytes; a bool is a u32 of 0 or 1. */
  readonly elements: Size
  readonly role: BufferRole
  /** Whether its floats are stored in f16: two bytes each. */
  readonly inHalves?: true
}

/** The bytes of an element of a buffer. */
export const elementBytes = ({ inHalves }: Pick<PlanBuffer, 'inHalves'>): number => (inHalves === true ? 2 : 4)

/** A tensor that a kernel stores. */
export interface Making {
  readonly what: string
  readonly because: Reason
  readonly elements: Size
  /** The commands of other kernels that read it, and what kept each from being one with this. */
  readonly readBy: readonly Reader[]
}

export type Command =
  | {
      readonly tag: 'dispatch'
      /** Which of the plan's kernels. */
      readonly kernel: number
      /** For each of the kernel's buffers, which of the plan's. */
      readonly buffers: readonly number[]
      readonly parameters: readonly Parameter[]
      /** The sizes of the kernel's space. */
      readonly extents: readonly Size[]
      /**
       * Whether it runs beside the command before it: the same kernel over other buffers, where neither writes what the other touches. What runs
       * side by side is one launch, without a barrier in between.
       */
      readonly beside: boolean
      /** What it makes and stores, for people. */
      readonly makes: readonly Making[]
      /** All that it computes, operands first, for people. */
      readonly computes: readonly string[]
    }
  | { readonly tag: 'copy'; readonly from: number; readonly to: number }

/** All that one of a plan's kernels computes, as the first command says it that runs it. */
export const computedBy = ({ commands }: Plan, kernel: number): readonly string[] =>
  commands.flatMap((command) => (command.tag === 'dispatch' && command.kernel === kernel ? [command.computes] : []))[0] ?? []

export interface Made {
  readonly path: string
  readonly buffer: number
  readonly axes: readonly Axis[]
}

/** Everything a backend needs to run a program, at any sizes. Plain data, made without a device. */
export interface Plan<I = unknown, S = unknown, O = unknown> {
  readonly requirements: Requirements
  readonly kernels: readonly Kernel[]
  readonly buffers: readonly PlanBuffer[]
  readonly commands: readonly Command[]
  readonly outputs: readonly Made[]
  /** The program's own trees, for the shape of what a run takes and gives. */
  readonly program: { readonly inputs: I; readonly state: S; readonly outputs: O }
}
