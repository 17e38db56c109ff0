import { interpret, plan, type Plan } from '../compiler/index.js'
import { type AnySpec, type AnyTensor, leaves, type Program, program, type Value } from '../dsl/index.js'
import { right } from './right.js'

const isData = (x: unknown): x is Float32Array => ArrayBuffer.isView(x)

export const hex = (data: Iterable<number>): string => Buffer.from(Float32Array.from(data).buffer).toString('hex')

/** The bits of tensors made of inputs of these specs, once they are planned: eight digits an element. */
export const plannedBits = (
  roots: readonly AnyTensor[],
  inputs: Readonly<Record<string, AnySpec>>,
  values: Readonly<Record<string, Value>>,
): readonly string[] => {
  const planned: Plan = right(plan(program({ inputs, body: () => ({ outputs: roots }) }) as Program<unknown, unknown, unknown>))
  const { outputs } = right(interpret(planned)(values as never))
  return leaves(isData)(outputs).map(({ value }) => hex(value))
}
