import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Device, type DeviceError, type DeviceTensor, isDeviceTensor } from '../backends/backend.js'
import { type AnySpec, countOf, isSpec, leaves, leavesLike, sizes, type Value, withLeaves } from '../dsl/index.js'
import type { ValuesOf } from '../models/index.js'
import type { TrainError } from './errors.js'

/** A tree of specs with, for each leaf, a tensor that a device holds. */
export type HeldFor<S> = S extends AnySpec ? DeviceTensor : { readonly [K in keyof S]: HeldFor<S[K]> }

export const isValue = (tree: unknown): tree is Value => typeof tree === 'object' && tree !== null && 'sizes' in tree && 'data' in tree

const specLeaves = leaves(isSpec)
const valueLeaves = leavesLike(isSpec, isValue)
const heldLeaves = leaves(isDeviceTensor)

/** A list as a tree: its elements in place of the specs, in their order. */
const inPlaces = withLeaves(isSpec)

const refused =
  (program: string) =>
  (error: DeviceError): TrainError => ({ tag: 'refused', program, error })

const holdLeaves =
  (device: Device, valueOf: (spec: AnySpec, path: string) => Value) =>
  <S>(specs: S): TE.TaskEither<TrainError, HeldFor<S>> =>
    pipe(
      specLeaves(specs),
      TE.traverseSeqArray(({ path, value: spec }) => device.hold(spec.dtype, valueOf(spec, path))),
      TE.bimap(refused('hold'), (held) => inPlaces(specs, held) as HeldFor<S>),
    )

const sizesOf = ({ axes }: AnySpec): readonly number[] => axes.map(({ size }) => sizes.known(size) ?? 0)

/** Zeros for each leaf of a tree. They are parts of one array: memory that the host touches for the first time costs more than the copy. */
const zerosFor = (specs: unknown): ((spec: AnySpec) => Value) => {
  const most = specLeaves(specs).reduce((count, { value }) => Math.max(count, countOf(sizesOf(value))), 0)
  const zeros = new Float32Array(most)
  return (spec) => ({ sizes: sizesOf(spec), data: zeros.subarray(0, countOf(sizesOf(spec))) })
}

/** Copy the values of a tree to the device; a leaf without a value is 0. */
export const holdTree =
  (device: Device) =>
  <S>(specs: S, values: unknown): TE.TaskEither<TrainError, HeldFor<S>> => {
    const given = new Map(valueLeaves(specs, values).map(({ path, value }) => [path, value]))
    const zeros = zerosFor(specs)
    return holdLeaves(device, (spec, path) => given.get(path) ?? zeros(spec))(specs)
  }

/** Zeros for every leaf, as an optimizer's moments begin. */
export const holdZeros =
  (device: Device) =>
  <S>(specs: S): TE.TaskEither<TrainError, HeldFor<S>> =>
    holdLeaves(device, zerosFor(specs))(specs)

/** Copy a tree back from the device. */
export const readTree =
  (device: Device) =>
  <S>(specs: S, held: HeldFor<S>): TE.TaskEither<TrainError, ValuesOf<S>> =>
    pipe(
      heldLeaves(held),
      TE.traverseSeqArray(({ value }) => device.read(value)),
      TE.bimap(refused('read'), (values) => inPlaces(specs, values) as ValuesOf<S>),
    )

/** A copy that the device holds apart: what becomes of one does not touch the other. So a policy in training leaves a frozen reference behind. */
export const copyTree =
  (device: Device) =>
  <S>(specs: S, held: HeldFor<S>): TE.TaskEither<TrainError, HeldFor<S>> =>
    pipe(
      readTree(device)(specs, held),
      TE.chain((values) => holdTree(device)(specs, values)),
    )

/** Give back the memory of every tensor of a tree. */
export const dropTree =
  (device: Device) =>
  (held: unknown): void => {
    for (const { value } of heldLeaves(held)) device.drop(value)
  }
