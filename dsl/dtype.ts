/** What an element is. f16 is a way of storing and float64 a mode of the reference evaluator; neither is a type of the language. */
export type DType = 'f32' | 'i32' | 'u32' | 'bool'

/** The types that can be added and compared. */
export type Num = 'f32' | 'i32' | 'u32'

/** The types that can point into an axis. */
export type Id = 'i32' | 'u32'

export const isNum = (dtype: DType): dtype is Num => dtype !== 'bool'

export const isId = (dtype: DType): dtype is Id => dtype === 'i32' || dtype === 'u32'
