import { declaredIn, exprsOf, type Folds, foldsIn, type For, mentions, type Statement, withInner } from '../../../../compiler/index.js'
import { createNumbers } from './numbers.js'
import { isSame, type Strides, stridesAlong } from './strides.js'

/** The strides along a loop of statements in full: what is declared inside varies. */
export const stridesOf = (index: string, body: readonly Statement[]): Strides => {
  const declared = declaredIn(body)
  return stridesAlong(index, (name) => (declared.has(name) ? 'varies' : 'same'))
}

/** Whether each loop is as long in all lanes, and each `if` the same, or only assigns what does not have to be read there. */
export const masksOnly = (body: readonly Statement[], strides: Strides): boolean =>
  body.flatMap(withInner).every((s) => {
    if (s.tag === 'for') return isSame(strides(s.loop.extent))
    if (s.tag !== 'if' || isSame(strides(s.condition))) return true
    const inCondition = exprsOf([{ ...s, body: [] }])
    return s.body.every((inner) => inner.tag === 'assign' && [...exprsOf([inner])].every((e) => e.tag !== 'read' || inCondition.has(e)))
  })

/** How a loop that is not of the space folds what lies outside it; undefined where it cannot run in lanes. */
export const foldsOf = (s: For): Folds | undefined => {
  const { loop, body } = s
  const numbers = createNumbers()
  const strides = stridesOf(loop.index, body)
  const stores = body.flatMap(withInner).flatMap((inner) => (inner.tag === 'store' ? [inner] : []))
  const reads = [...exprsOf(body)].flatMap((e) => (e.tag === 'read' ? [e] : []))
  const apart = stores.every(({ buffer, at }) => {
    const stride = strides(at)
    const place = numbers(at)
    return stride !== undefined && !isSame(stride) && reads.every((e) => e.buffer !== buffer || numbers(e.at) === place)
  })
  return apart && masksOnly(body, strides) ? foldsIn(s) : undefined
}

/** The outermost loop of nested ones, the last of which folds, that touches the variable nowhere else. */
export const regionOf = (path: readonly For[], name: string): For => {
  const innermost = path.at(-1)!
  const without = (statements: readonly Statement[]): readonly Statement[] =>
    statements.flatMap((s): readonly Statement[] =>
      s === innermost ? [] : s.tag === 'for' || s.tag === 'if' ? [{ ...s, body: without(s.body) }] : [s],
    )
  return path.find((outer) => !declaredIn(outer.body).has(name) && !mentions(without([outer]), name)) ?? innermost
}
