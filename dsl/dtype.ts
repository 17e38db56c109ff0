/** What an element is. f16 is a way of storing and float64 a mode of the reference evaluator; neither is a type of the language. */
export type DType = 'f32' | 'i32' | 'u32' | 'bool'

/** The types that can be added and compared. */
export type Num = 'f32' | 'i32' | 'u32'

/** The types that can point into an axis. */
export type Id = 'i32' | 'u32'

/** Whether a type holds a number as it is, but for rounding. */
export const holds: { readonly [D in DType]: (value: number) => boolean } = {
  f32: () => true,
  i32: (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  u32: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32,
  bool: (value) => value === 0 || value === 1,
}

/** What it holds, for people. */
export const rangeOf: { readonly [D in DType]: string } = {
  f32: 'a number',
  i32: 'a whole number from −2³¹ to 2³¹ − 1',
  u32: 'a whole number from 0 to 2³² − 1',
  bool: '0 or 1',
}

export const isNum = (dtype: DType): dtype is Num => dtype !== 'bool'

export const isId = (dtype: DType): dtype is Id => dtype === 'i32' || dtype === 'u32'
