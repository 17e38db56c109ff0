import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract, f32, gather, graphErrors, i32, oneHot, program, sizeOf, u32 } from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'

law(
  'a contraction with one-hot ids is a gather, and an id outside has nothing',
  fc.property(fc.array(fc.integer({ min: -1, max: 4 }), { maxLength: 4 }), (ids) => {
    const table = [10, 20, 30, 40]
    const chosen = elements(
      { table: f32('vocab'), ids: i32('row') },
      { table: { sizes: [4], data: table }, ids: { sizes: [ids.length], data: ids } },
      (given) => contract('vocab')(oneHot('vocab', { size: sizeOf('vocab') })(given.ids), given.table),
    )
    expect(chosen).toEqual(ids.map((id) => table[id] ?? 0))
  }),
)

test('the new axis is the last, and ids may be unsigned', () =>
  expect(
    elements({ ids: u32('row') }, { ids: { sizes: [3], data: [2, 0, 4294967295] } }, (given) => oneHot('vocab', { size: 3 })(given.ids)),
  ).toEqual([0, 0, 1, 1, 0, 0, 0, 0, 0]))

test('an axis that the ids have is an error of the program', () =>
  expect(
    graphErrors(
      program({
        inputs: { x: f32('vocab'), ids: i32('row') },
        body: ({ x, ids }) => ({ outputs: { y: pipe(x, gather('vocab')(ids)), z: oneHot('row', { size: 3 })(ids) } }),
      }),
    ).map(({ tag }) => tag),
  ).toContain('axisExists'))
