import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap, granule } from '../../../backends/cpu/heap.js'
import { law } from '../../law.js'

const [from, limit] = [1024, 1024 + 64 * granule]

/** Take so many bytes, or give back the taken range of this number. */
type Act = { readonly take: number } | { readonly give: number }

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(fc.record({ take: fc.nat({ max: 20 * granule }) }), fc.record({ give: fc.nat({ max: 20 }) })),
  { maxLength: 40 },
)

interface Range {
  readonly from: number
  readonly to: number
}

/** Follow the acts on a new heap: what is taken at the end, and every time whether what was given overlapped nothing. */
const follow = (list: readonly Act[]) => {
  const heap = createHeap(from, limit)
  const taken: Range[] = []
  let apart = true
  for (const act of list)
    if ('take' in act) {
      const address = heap.allocate(act.take)
      if (address === undefined) continue
      const range = { from: address, to: address + Math.max(1, act.take) }
      apart &&= range.from >= from && range.to <= limit && range.from % granule === 0
      apart &&= taken.every((other) => range.to <= other.from || other.to <= range.from)
      taken.push(range)
    } else if (taken.length > 0) {
      const [range] = taken.splice(act.give % taken.length, 1)
      if (range !== undefined) heap.free(range.from)
    }
  return { heap, taken, apart }
}

law(
  'what a heap gives lies within its limits, aligned, and apart from all else that it gave',
  fc.property(acts, (list) => follow(list).apart),
)

law(
  'when all is given back, all of it can be taken at once',
  fc.property(acts, (list) => {
    const { heap, taken } = follow(list)
    for (const range of taken) heap.free(range.from)
    return heap.used() === 0 && heap.allocate(limit - from) === from
  }),
)

test('a heap refuses what does not fit, and forgets what was not given', () => {
  const heap = createHeap(from, limit)
  expect(heap.allocate(limit - from + 1)).toBeUndefined()
  heap.free(from)
  expect(heap.allocate(limit - from)).toBe(from)
  expect(heap.allocate(0)).toBeUndefined()
})
