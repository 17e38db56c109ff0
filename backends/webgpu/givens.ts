import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import type { Plan } from '../../compiler/index.js'
import { type Bound, hasData } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import { type Elements, elementsOf } from './elements.js'
import { type Held, type HeldTensor, isDeviceTensor } from './held.js'

/** Where what a run is given comes from, each by its buffer in the plan. */
export interface Givens {
  /** Tensors that kernels use where they lie. */
  readonly resident: ReadonlyMap<number, HeldTensor>
  /** Values of the host, to be written into the arena. */
  readonly uploads: readonly (readonly [buffer: number, elements: Elements])[]
  /** Tensors given a second time. No buffer may be bound twice in one dispatch, so these are copied into the arena first. */
  readonly copies: readonly (readonly [buffer: number, from: HeldTensor])[]
}

interface GivenBuffer {
  readonly buffer: number
  readonly path: string
  readonly isState: boolean
}

/** State first: it is replaced in place, so it is what must be used where it lies. */
const givenBuffers = ({ buffers }: Plan): readonly GivenBuffer[] =>
  buffers
    .flatMap(({ role }, buffer): readonly GivenBuffer[] =>
      role.tag === 'given' ? [{ buffer, path: role.path, isState: role.path.startsWith('state') }] : [],
    )
    .toSorted((a, b) => Number(b.isState) - Number(a.isState))

export const placeGivens = (
  plan: Plan,
  values: Bound['values'],
  held: Held,
  device: string,
): E.Either<NonEmptyArray<DeviceError>, Givens> => {
  const resident = new Map<number, HeldTensor>()
  const uploads: [number, Elements][] = []
  const copies: [number, HeldTensor][] = []
  const users = new Map<HeldTensor, GivenBuffer>()
  const errors: DeviceError[] = []
  for (const given of givenBuffers(plan)) {
    const { buffer, path, isState } = given
    const value = values.get(path)
    const dtype = plan.buffers[buffer]?.dtype
    if (value === undefined || dtype === undefined) continue
    const tensor = held.find(value)
    const user = tensor && users.get(tensor)
    if (tensor === undefined) {
      if (hasData(value) && !isState) uploads.push([buffer, elementsOf(dtype, value.data)])
      else errors.push({ tag: 'unknownTensor', device, of: isDeviceTensor(value) ? value.device : 'the host' })
    } else if (tensor.tensor.dtype !== dtype) errors.push({ tag: 'wrongType', device, path, declared: dtype, given: tensor.tensor.dtype })
    else if (user === undefined) {
      users.set(tensor, given)
      resident.set(buffer, tensor)
    } else if (isState) errors.push({ tag: 'stateShared', device, first: user.path, second: path })
    else copies.push([buffer, tensor])
  }
  const [first, ...rest] = errors
  return first === undefined ? E.right({ resident, uploads, copies }) : E.left([first, ...rest])
}
