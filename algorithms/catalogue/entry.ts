import { defineLoss, type Loss, type Scalar, type SpecTree, type TensorsOf } from '../../dsl/index.js'
import { type Aggregation, ofStep, type StepCounts } from '../aggregate.js'

/** What a loss says of the batches that it may be given. */
export interface Declared {
  /**
   * Whether no row has a part in what another adds: the order of the rows means nothing, and micro-batches that divide by what the whole step
   * counts (`ofStep`) add up to the step, value and gradient.
   */
  readonly rowSeparable: boolean
  /** Whether a place more on either side of `time`, outside the masks, changes nothing. */
  readonly paddingInvariant: boolean
}

/** A loss of this library under settings that are often used. */
export interface LibraryLoss extends Declared {
  readonly loss: Loss<unknown>
  /** The loss of one micro-batch of a step, which divides by what the step counts. */
  readonly ofStep: (step: StepCounts) => Loss<unknown>
}

/** How a loss of the table takes an aggregation: as it is, or with the counts of a step. */
export type Divides = (how: Aggregation) => Aggregation

interface EntryOf<I> extends Partial<Declared> {
  readonly inputs: I & SpecTree
  readonly loss: (divides: Divides) => (given: TensorsOf<I>) => Scalar
}

export type Entry = EntryOf<unknown>

/** A row of the table: a loss of its inputs. Separable and invariant if not said. */
export const entry = <const I>(parts: EntryOf<I>): Entry => parts as unknown as Entry

const asItIs: Divides = (how) => how

/** A table of losses, each called by its key. */
export const named = <K extends string>(table: { readonly [N in K]: Entry }): { readonly [N in K]: LibraryLoss } => {
  const made = Object.entries<Entry>(table).map(([name, { inputs, loss, rowSeparable = true, paddingInvariant = true }]) => {
    const under = (divides: Divides): Loss<unknown> => defineLoss<unknown>({ name, inputs: inputs as never, loss: loss(divides) })
    const declared: LibraryLoss = { loss: under(asItIs), rowSeparable, paddingInvariant, ofStep: (step) => under(ofStep(step)) }
    return [name, declared] as const
  })
  return Object.fromEntries(made) as { readonly [N in K]: LibraryLoss }
}
