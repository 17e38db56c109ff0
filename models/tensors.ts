import type { Tensor } from '../dsl/index.js'

/** Token ids, from 0 to below the size of the vocabulary. */
export type Ids = Tensor<'batch' | 'time', 'i32'>

/** What runs through a decoder: a vector of `embed` numbers at each place of each row. */
export type Stream = Tensor<'batch' | 'time' | 'embed'>
