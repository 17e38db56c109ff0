import type { AnyTensor, NodeOf } from '../../dsl/index.js'
import type { Statement } from '../loop-ir.js'
import { type Building, newVariable } from './building.js'
import { axisSize, valueAt } from './computed.js'
import { moved, type Place } from './place.js'
import { openLoop, storeAt } from './statements.js'

/** One place after the other: the first is x itself, so that 0 times an infinite coefficient is not asked for. */
export const linearRecurrence = (
  b: Building,
  { a, x, axis, direction }: NodeOf<'linearRecurrence'>,
  y: AnyTensor,
  place: Place,
): readonly Statement[] => {
  const { op, literal, minus, index } = b.exprs
  const loop = openLoop(b, axisSize(y, axis))
  const turn = index(loop.index)
  const inner = moved(place, axis, direction === 'forward' ? turn : minus(minus(loop.extent, literal(1)), turn))
  const acc = newVariable(b, 'acc', y.dtype)
  const own = valueAt(b, x, inner)
  const next = op('add', y.dtype, op('mul', y.dtype, valueAt(b, a, inner), acc), own)
  return [
    { tag: 'var', name: acc.name, value: literal(0, y.dtype) },
    {
      tag: 'for',
      loop,
      body: [
        { tag: 'assign', name: acc.name, value: op('select', y.dtype, op('equal', 'bool', turn, literal(0)), own, next) },
        storeAt(b, y, inner, acc),
      ],
    },
  ]
}
