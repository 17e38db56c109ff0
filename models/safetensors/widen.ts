/** The types of floats that a checkpoint stores. */
export type StoredDtype = 'F32' | 'F16' | 'BF16'

const aligned = (bytes: Uint8Array, to: number): Uint8Array => (bytes.byteOffset % to === 0 ? bytes : new Uint8Array(bytes))

const words16 = (bytes: Uint8Array): Uint16Array => {
  const { buffer, byteOffset, byteLength } = aligned(bytes, 2)
  return new Uint16Array(buffer, byteOffset, byteLength / 2)
}

/** 2^(e − 25) of each biased exponent e, so that a number is (1024 + fraction) of it. */
const units = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent - 25))

const magnitudeOf = (exponent: number, fraction: number): number =>
  exponent === 0 ? fraction * 2 ** -24 : exponent < 31 ? (1024 + fraction) * units[exponent]! : fraction === 0 ? Infinity : NaN

const halfAsNumber = (half: number): number => {
  const magnitude = magnitudeOf((half >> 10) & 31, half & 1023)
  return half & 0x8000 ? -magnitude : magnitude
}

interface Widening {
  /** Of an element. */
  readonly bytes: number
  readonly widen: (bytes: Uint8Array) => Float32Array
}

/** How each stored type becomes f32, which holds every number of it. F32 is used where it lies if its place is a multiple of four bytes. */
export const widenings: { readonly [D in StoredDtype]: Widening } = {
  F32: {
    bytes: 4,
    widen: (bytes) => {
      const { buffer, byteOffset, byteLength } = aligned(bytes, 4)
      return new Float32Array(buffer, byteOffset, byteLength / 4)
    },
  },
  F16: { bytes: 2, widen: (bytes) => Float32Array.from(words16(bytes), halfAsNumber) },
  BF16: { bytes: 2, widen: (bytes) => new Float32Array(Uint32Array.from(words16(bytes), (word) => word << 16).buffer) },
}

export const isStoredDtype = (dtype: string): dtype is StoredDtype => Object.hasOwn(widenings, dtype)
