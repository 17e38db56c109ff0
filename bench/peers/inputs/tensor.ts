import { countOf } from '../../../dsl/index.js'
import { streamOf } from './stream.js'

/** What a workload is given, row-major. */
export interface HostArray {
  readonly shape: readonly number[]
  readonly data: Float32Array | Int32Array
}

type Shape = readonly number[]

const filled = (shape: Shape, next: (i: number) => number): HostArray => {
  const data = new Float32Array(countOf(shape))
  for (let i = 0; i < data.length; i++) data[i] = next(i)
  return { shape, data }
}

export const normal = (name: string, shape: Shape, deviation = 1, mean = 0): HostArray => {
  const stream = streamOf(name)
  return filled(shape, () => mean + deviation * stream.normal())
}

/** x and normal noise. */
export const noisy = (name: string, { shape, data }: HostArray, deviation: number): HostArray => {
  const stream = streamOf(name)
  return filled(shape, (i) => data[i]! + deviation * stream.normal())
}

export const ones = (shape: Shape): HostArray => filled(shape, () => 1)

/** Whole numbers from 0 to below a bound. */
export const ids = (name: string, shape: Shape, bound: number): HostArray => {
  const { uniform } = streamOf(name)
  return { shape, data: Int32Array.from({ length: countOf(shape) }, () => Math.floor(uniform() * bound)) }
}

/** 1 at a span of each row, which begins in its first quarter and ends in its second half. */
export const spans = (name: string, [rows, width]: readonly [number, number]): HostArray => {
  const { uniform } = streamOf(name)
  const data = new Float32Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const begin = Math.floor((uniform() * width) / 4)
    const end = Math.floor(width / 2 + uniform() * (width / 2)) + 1
    data.fill(1, row * width + begin, row * width + Math.min(end, width))
  }
  return { shape: [rows, width], data }
}

/** Cosines and sines of rotary positions, [time, pair]. */
export const rotaryTables = (time: number, headDim: number, base: number): { readonly cos: HostArray; readonly sin: HostArray } => {
  const half = headDim / 2
  const angle = (i: number): number => Math.floor(i / half) * base ** (-(i % half) / half)
  const table = (f: (x: number) => number): HostArray => filled([time, half], (i) => f(angle(i)))
  return { cos: table(Math.cos), sin: table(Math.sin) }
}
