import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { type Elements, elementsOf, type Plan } from '../compiler/index.js'
import { type Bound, type DType, hasData } from '../dsl/index.js'
import type { DeviceError } from './backend.js'
import type { Held, HeldTensor } from './held.js'

/** Where what a run is given comes from, each by its buffer in the plan. */
export interface Givens<P> {
  /** Tensors that kernels use where they lie. */
  readonly resident: ReadonlyMap<number, HeldTensor<P>>
  /** Tensors to be copied into the arena first, as they were before the run. */
  readonly copies: ReadonlyMap<number, HeldTensor<P>>
  /** Values of the host, to be written into the arena. */
  readonly uploads: ReadonlyMap<number, Elements>
}

interface GivenBuffer {
  readonly buffer: number
  readonly dtype: DType
  readonly path: string
  readonly isState: boolean
}

/** State first: it is replaced in place, so it is what must be used where it lies. */
const givenBuffers = ({ buffers }: Plan): readonly GivenBuffer[] =>
  buffers
    .flatMap(({ role, dtype }, buffer): readonly GivenBuffer[] =>
      role.tag === 'given' ? [{ buffer, dtype, path: role.path, isState: role.of === 'state' }] : [],
    )
    .toSorted((a, b) => Number(b.isState) - Number(a.isState))

/**
 * Sort what a run is given; or all that is wrong with it. A state must be a tensor of the device, and no two states one tensor.
 * An input that is also a state is copied, since the state changes while it is read; an input that is also another input only where
 * a device's buffers have `one` user each.
 */
export const placeGivens = <P>(
  plan: Plan,
  { values }: Bound,
  held: Held<P>,
  users: 'one' | 'many',
): E.Either<NonEmptyArray<DeviceError>, Givens<P>> => {
  const { device } = held
  const resident = new Map<number, HeldTensor<P>>()
  const copies = new Map<number, HeldTensor<P>>()
  const uploads = new Map<number, Elements>()
  const usedBy = new Map<HeldTensor<P>, GivenBuffer>()
  const errors: DeviceError[] = []

  const place = (given: GivenBuffer, tensor: HeldTensor<P>): void => {
    const { buffer, dtype, path, isState } = given
    const user = usedBy.get(tensor)
    if (tensor.tensor.dtype !== dtype) errors.push({ tag: 'wrongType', device, path, declared: dtype, given: tensor.tensor.dtype })
    else if (user !== undefined && isState) errors.push({ tag: 'stateShared', device, first: user.path, second: path })
    else if (user !== undefined && (user.isState || users === 'one')) copies.set(buffer, tensor)
    else {
      resident.set(buffer, tensor)
      usedBy.set(tensor, user ?? given)
    }
  }

  for (const given of givenBuffers(plan)) {
    const value = values.get(given.path)
    if (value === undefined) continue // impossible: what is bound has them all
    const tensor = held.find(value)
    if (E.isRight(tensor)) place(given, tensor.right)
    else if (hasData(value) && !given.isState) uploads.set(given.buffer, elementsOf(given.dtype, value.data))
    else errors.push(tensor.left)
  }
  const [first, ...rest] = errors
  return first === undefined ? E.right({ resident, copies, uploads }) : E.left([first, ...rest])
}
