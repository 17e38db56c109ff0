import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import type { Plan } from '../../compiler/index.js'
import { type Bound, type Given, hasData } from '../../dsl/index.js'
import type { DeviceError, DeviceTensor } from '../backend.js'
import type { Held } from './held.js'

/** Where the given buffers of a run that the device holds already lie. */
export interface Residents {
  /** Used where they lie, by buffer. */
  readonly inPlace: ReadonlyMap<number, number>
  /** To be copied to the arena first, by buffer: inputs that are a state of the same run, which changes while they are read. */
  readonly copied: ReadonlyMap<number, number>
}

type Leaf = Exclude<Given, number> | undefined

const isHeld = (value: Leaf): value is DeviceTensor => value !== undefined && 'handle' in value

const isState = (path: string): boolean => path === 'state' || path.startsWith('state.')

/** The addresses of what is given as tensors of the device; or every one of them that does not fit. A state must be one. */
export const residents = (
  device: string,
  { buffers }: Plan,
  held: Held,
  { values }: Bound,
): E.Either<NonEmptyArray<DeviceError>, Residents> => {
  const errors: DeviceError[] = []
  const found: { readonly buffer: number; readonly path: string; readonly address: number }[] = []
  buffers.forEach(({ role, dtype }, buffer) => {
    if (role.tag !== 'given') return
    const { path } = role
    const value = values.get(path)
    if (!isHeld(value)) {
      const ofTheHost = value !== undefined && hasData(value)
      if (isState(path) || !ofTheHost) errors.push({ tag: 'unknownTensor', device, of: 'the host' })
      return
    }
    const address = held.addressOf(value)
    if (E.isLeft(address)) errors.push(address.left)
    else if (value.dtype !== dtype) errors.push({ tag: 'wrongType', device, path, declared: dtype, given: value.dtype })
    else found.push({ buffer, path, address: address.right })
  })
  const states = new Set(found.filter(({ path }) => isState(path)).map(({ address }) => address))
  const isCopied = ({ path, address }: (typeof found)[number]): boolean => !isState(path) && states.has(address)
  const addresses = (some: typeof found): ReadonlyMap<number, number> => new Map(some.map(({ buffer, address }) => [buffer, address]))
  const [first, ...rest] = errors
  return first === undefined
    ? E.right({ inPlace: addresses(found.filter((x) => !isCopied(x))), copied: addresses(found.filter(isCopied)) })
    : E.left([first, ...rest])
}
