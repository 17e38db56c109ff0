import { type AnySpec, axisNames, build, type DType, type ScalarOp } from '../../dsl/index.js'
import { apply, type Known, moved, tame } from './known.js'
import { padAlong } from './movement.js'
import type { Next, StateRecipe } from './recipe.js'
import { input } from './sources.js'
import { agreeing, dropped, type Declared, type Workshop } from './workshop.js'

/** A state that a program declares, as it is found. */
export interface State extends Declared {
  readonly recipe: StateRecipe
  readonly old: Known
}

const sizesOf = (w: Workshop, { axes }: AnySpec): string => axes.map(({ name, size }) => `${name} ${String(w.number(size))}`).join()

const isAlike = (w: Workshop, x: AnySpec, y: AnySpec): boolean => x.dtype === y.dtype && sizesOf(w, x) === sizesOf(w, y)

/** A new state, of its own type and axes or of those of the last. */
export const declareState = (w: Workshop, recipe: StateRecipe, before: readonly State[]): State => {
  const path = `state.s${String(before.length)}`
  const last = recipe.alike ? before.at(-1) : undefined
  const declare: Workshop['input'] = (dtype, axes, range) => ({ x: build.input(path, dtype, axes), range })
  const old = last === undefined ? input({ ...w, input: declare }) : declare(last.spec.dtype, last.spec.axes, last.range)
  return { recipe, old, spec: { spec: 'tensor', dtype: old.x.dtype, axes: old.x.axes }, range: old.range }
}

/** What is left of k without the axes that the state has not. */
const within = (w: Workshop, { old }: State, k: Known): Known => {
  const fits = agreeing(w, old, k, w.roll(1, 6))
  const own = axisNames(old.x)
  return dropped(
    w,
    fits,
    axisNames(fits.x).filter((name) => !own.includes(name)),
    w.roll(2, 6),
  )
}

const whole = (w: Workshop, state: State, k: Known): Known => moved(within(w, state, k), build.broadcastTo(state.spec.axes))

const ops: { readonly [D in DType]: readonly ScalarOp[] } = {
  f32: ['add', 'mul', 'min', 'max'],
  i32: ['add', 'min', 'max', 'mul'],
  u32: ['add', 'min', 'max', 'mul'],
  bool: ['or', 'and'],
}

/** What replaces a state. Each has the state's type and axes. */
const nexts: { readonly [N in Next]: (w: Workshop, state: State, all: readonly State[]) => Known } = {
  replaced: (w, state) => whole(w, state, w.operand(0, [state.spec.dtype])),
  made: (w, state) =>
    whole(
      w,
      state,
      w.operand(0, [state.spec.dtype], ({ x }) => isAlike(w, { spec: 'tensor', dtype: x.dtype, axes: x.axes }, state.spec)),
    ),
  updated: (w, state) => {
    const own = ops[state.spec.dtype]
    return tame(apply(own[w.roll(0, own.length)]!, state.old, within(w, state, w.operand(0, [state.spec.dtype]))))
  },
  shifted: (w, { old }) => {
    const axis = old.x.axes[w.roll(0, Math.max(1, old.x.axes.length))]
    if (axis === undefined || w.number(axis.size) === 0 || old.x.dtype === 'bool') return old
    const first = w.roll(1, 2)
    const [from, to] = first === 0 ? [0, -1] : [1, undefined]
    return padAlong(moved(old, build.sliceBetween(axis.name, from, to, 1)), axis.name, 1 - first, first)
  },
  swapped: (w, state, all) => {
    const alike = all.filter(({ spec }) => isAlike(w, spec, state.spec))
    return alike[(alike.indexOf(state) + 1) % alike.length]!.old
  },
  kept: (_w, { old }) => old,
}

export const nextOf = (w: Workshop, state: State, all: readonly State[]): Known => nexts[state.recipe.next](w, state, all)

/** Whether the steps may read a state: what is replaced is read by nothing. */
export const isRead = ({ recipe }: State): boolean => recipe.next !== 'replaced'
