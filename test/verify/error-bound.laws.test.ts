import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Arithmetic, bindOnHost, evaluateTensors, float32 } from '../../backends/cpu/evaluate.js'
import { type AnyTensor, givenLeaves, rootsOf, type Value } from '../../dsl/index.js'
import { agrees, type BoundTensor, errorBounds, renderDisagreement } from '../../verify/error-bound.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram, programsOf } from '../programs/index.js'
import { hostile } from './error-bound/hostile.js'

const orThrow = E.getOrElse<unknown, never>((errors) => {
  throw new Error(JSON.stringify(errors))
}) as <A>(result: E.Either<unknown, A>) => A

type Fed = Pick<AnyProgram, 'program' | 'inputs' | 'state'>

const staysInside = ({ program, inputs, state }: Fed, arithmetic: Arithmetic<number>): void => {
  const bounds = orThrow(errorBounds(program, inputs, state))
  const within = { ...bounds.outputs, ...bounds.state } as Readonly<Record<string, BoundTensor>>
  const values = evaluateTensors(rootsOf(program), orThrow(bindOnHost(program, inputs, state)), arithmetic)
  for (const [name, x] of Object.entries<AnyTensor>({
    ...program.outputs,
    ...(program.nextState as Readonly<Record<string, AnyTensor>>),
  })) {
    const agreed = agrees(within[name]!, values.get(x.node)!, name)
    expect(E.isLeft(agreed) ? renderDisagreement(agreed.left) : '').toBe('')
  }
}

law(
  'float32 stays within the bound',
  fc.property(anyProgram, (p) => staysInside(p, float32)),
  { runs: 300 },
)

law(
  'the worst backend that keeps its promises stays within the bound',
  fc.property(anyProgram, fc.nat(), (p, seed) => staysInside(p, hostile(seed))),
  { runs: 500 },
)

law(
  'so it does where sums are long',
  fc.property(programsOf({ sizes: fc.constantFrom(63, 64, 65), elements: 5000, steps: 12 }), fc.nat(), (p, seed) =>
    staysInside(p, hostile(seed)),
  ),
  { runs: 20 },
)

const wild = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, NaN, Infinity, -Infinity, 3.4028234663852886e38, -1e38, 2 ** -126, -(2 ** -130), 2 ** -149, 100, -100),
  fc.float({ min: -2, max: 2 }),
  fc.float(),
)

/** The program with these numbers, in turn, as elements of its f32 inputs and states. */
const fedWith = ({ program, inputs, state }: AnyProgram, numbers: readonly number[]): Fed => {
  let next = 0
  const specs = new Map(givenLeaves(program).map(({ path, value }) => [path, value]))
  const fed = (root: string, values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(
      Object.entries(values).map(([name, { sizes, data }]) => [
        name,
        specs.get(`${root}.${name}`)?.dtype === 'f32'
          ? { sizes, data: Array.from(data, () => numbers[next++ % numbers.length]!) }
          : { sizes, data },
      ]),
    )
  return { program, inputs: fed('inputs', inputs), state: fed('state', state) }
}

law(
  'so it does where values overflow, underflow or are not numbers',
  fc.property(anyProgram, fc.array(wild, { minLength: 1, maxLength: 60 }), fc.nat(), (p, numbers, seed) =>
    staysInside(fedWith(p, numbers), hostile(seed)),
  ),
  { runs: 500 },
)
