import * as E from 'fp-ts/lib/Either.js'
import type { Device } from '../../backends/index.js'
import { evaluate, type EvaluateOptions, openCpu } from '../../backends/cpu/index.js'
import { openWebGpu, renderAcquireError } from '../../backends/webgpu/index.js'
import { interpret, plan } from '../../compiler/index.js'
import { type HostTensor, leaves, type Program } from '../../dsl/index.js'

/** |x − expected| ≤ atol + rtol·|expected| */
export interface Tolerance {
  readonly rtol: number
  readonly atol: number
  /** Whether atol grows with the greatest number of a case where numbers that cancel are great: see `toleranceFor`. */
  readonly cancels: boolean
}

/** One way to run a program: the float64 reference, a backend. The same rows are checked by each. */
export interface Reading {
  readonly name: string
  readonly tolerance: Tolerance
  /** The outputs by path, without the root: `value`, `metrics.kl`. */
  readonly run: (program: AnyProgram, inputs: unknown) => Promise<ReadonlyMap<string, HostTensor>>
  /** Give back what it runs on. */
  readonly close?: () => Promise<void>
}

const isHostTensor = (tree: unknown): tree is HostTensor => typeof tree === 'object' && tree !== null && 'axes' in tree && 'data' in tree

export const outputsByPath = (outputs: unknown): ReadonlyMap<string, HostTensor> =>
  new Map(leaves(isHostTensor)(outputs).map(({ path, value }) => [path, value]))

const refused = (errors: readonly { readonly tag: string }[]): Promise<never> => Promise.reject(new Error(JSON.stringify(errors, null, 2)))

const reference = (precision: NonNullable<EvaluateOptions['precision']>, tolerance: Tolerance): Reading => ({
  name: `reference in ${precision}`,
  tolerance,
  run: (program, inputs) => {
    const made = evaluate(program, inputs as never, undefined, { precision })
    return E.isLeft(made) ? refused(made.left) : Promise.resolve(outputsByPath(made.right.outputs))
  },
})

export const inFloat32: Tolerance = { rtol: 1e-4, atol: 1e-5, cancels: true }

type AnyProgram = Program<unknown, unknown, unknown>

/** A plan does not depend on what runs it: a program is planned once for all its readings. */
const plans = new WeakMap<AnyProgram, ReturnType<typeof plan>>()

const planOf = (program: AnyProgram): ReturnType<typeof plan<unknown, unknown, unknown>> => {
  const planned = plans.get(program) ?? plan(program)
  plans.set(program, planned)
  return planned
}

const interpreter: Reading = {
  name: 'loop interpreter',
  tolerance: inFloat32,
  run: (program, inputs) => {
    const planned = planOf(program)
    if (E.isLeft(planned)) return refused(planned.left)
    const made = interpret(planned.right)(inputs as never)
    return E.isLeft(made) ? refused(made.left) : Promise.resolve(outputsByPath(made.right.outputs))
  },
}

/** A device, opened at its first program and kept for the others. */
const onDevice = (name: string, open: () => Promise<Device>): Reading => {
  let opened: Promise<Device> | undefined
  return {
    name,
    tolerance: inFloat32,
    run: async (program, inputs) => {
      const planned = planOf(program)
      if (E.isLeft(planned)) return refused(planned.left)
      const device = await (opened ??= open())
      const loaded = await device.load(planned.right)()
      if (E.isLeft(loaded)) return refused([loaded.left])
      const made = await loaded.right.run(inputs as never)()
      return E.isLeft(made) ? refused(made.left) : outputsByPath(made.right)
    },
    close: async () => (await opened)?.release(),
  }
}

const webGpu = async (): Promise<Device> => {
  const opened = await openWebGpu('software')()
  return E.isLeft(opened) ? Promise.reject(new Error(renderAcquireError(opened.left))) : opened.right
}

/** The readings that every row is checked by. */
export const readings = {
  'reference-f64': () => reference('f64', { rtol: 1e-9, atol: 1e-12, cancels: false }),
  'reference-f32': () => reference('f32', inFloat32),
  interpreter: () => interpreter,
  cpu: () => onDevice('WebAssembly', () => Promise.resolve(openCpu())),
  software: () => onDevice('WebGPU', webGpu),
} as const satisfies Readonly<Record<string, () => Reading>>

export type ReadingName = keyof typeof readings
