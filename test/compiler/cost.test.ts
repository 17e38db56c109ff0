import fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { costOf, costOfPlan, plan } from '../../compiler/index.js'
import {
  bind,
  contract,
  exp,
  f32,
  givenValues,
  mul,
  program,
  type Program,
  select,
  slice,
  less,
  sizes,
  softmax,
  type Tensor,
} from '../../dsl/index.js'
import { law } from '../law.js'
import { anyProgram } from '../programs/index.js'
import { right } from '../right.js'

const priced = (p: Program<unknown, unknown, unknown>) => {
  const { reads, writes, flops } = costOfPlan(right(plan(p)))
  return { reads: reads.text, writes: writes.text, flops: flops.text }
}

describe('what a plan costs', () => {
  test('a product is two flops for each pair that it sums', () => {
    const x = { x: f32('row', 'k'), w: f32('k', 'column') }
    expect(priced(program({ inputs: x, body: (given) => ({ outputs: { y: contract('k')(given.x, given.w) } }) }))).toEqual({
      reads: '4·column·k + 4·k·row',
      writes: '4·column·row',
      flops: '2·column·k·row',
    })
  })

  test('a softmax is seven an element: the maximum; a difference, its exp and their sum; both again, and by the sum', () => {
    expect(priced(program({ inputs: { x: f32('row', 'k') }, body: ({ x }) => ({ outputs: { y: softmax('k')(x) } }) }))).toEqual({
      reads: '4·k·row',
      writes: '4·k·row',
      flops: '7·k·row + row',
    })
  })

  test('to choose costs nothing, and to compare one', () => {
    const body = ({ x }: { readonly x: Tensor<'k'> }) => ({ outputs: { y: select(less(x, 0), x, mul(x, x)) } })
    expect(priced(program({ inputs: { x: f32('k') }, body })).flops).toBe('2·k')
  })

  test('a state that is not made in place costs its copy', () => {
    const shifted = program({
      inputs: {},
      state: { x: f32({ k: 8 }), y: f32({ k: 8 }) },
      body: (_, { x, y }) => ({ outputs: {}, state: { x: y, y: x } }),
    })
    const made = right(plan(shifted))
    const copies = made.commands.filter(({ tag }) => tag === 'copy')
    expect(copies.length).toBeGreaterThan(0)
    for (const copy of copies)
      expect(costOf(made, copy)).toMatchObject({ reads: { text: '32' }, writes: { text: '32' }, flops: { text: '0' } })
  })

  test('a slice is read from a buffer that counts whole', () => {
    const body = ({ x }: { readonly x: Tensor<'k'> }) => ({ outputs: { y: pipe(exp(x), slice('k', { from: 0, to: 2 })) } })
    expect(priced(program({ inputs: { x: f32('k') }, body }))).toEqual({ reads: '4·k', writes: '8', flops: '2' })
  })
})

law(
  'every program has a price at every size',
  fc.property(anyProgram, ({ program: p, inputs, state }) => {
    const made = right(plan(p))
    const { sizes: bound } = right(bind(made.requirements, givenValues(made.program, inputs, state)))
    return Object.values(costOfPlan(made)).every((cost: sizes.Size) => sizes.evaluateSize(cost, bound)! >= 0)
  }),
  { runs: 200 },
)
