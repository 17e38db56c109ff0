import type { Tensor } from '../dsl/index.js'

/** Token ids, from 0 to below the size of the vocabulary. */
export type Ids = Tensor<'batch' | 'time', 'i32'>

/** Where tokens stand in their sequences, from 0: the same in every row, or in each its own. */
export type Positions = 'time' | Tensor<'batch' | 'time', 'i32'>

/** What runs through a decoder: a vector of `embed` numbers at each place of each row. */
export type Stream = Tensor<'batch' | 'time' | 'embed'>
