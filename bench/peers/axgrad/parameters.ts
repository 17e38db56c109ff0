import type { DecoderConfig, DecoderSpecs } from 'axgrad/models'
import { type DecoderSizes, normEpsilon, parameterShapes, rotaryBase } from '../inputs/decoder.js'

export const configOf = ({ vocab, width, layers, heads, ffn }: DecoderSizes): DecoderConfig => ({
  ...{ vocab, layers, heads, ffn, rotaryBase, normEpsilon },
  embed: width,
  headDim: width / heads,
})

/** The same numbers in the same order, where the width is that of heads with an axis for each. */
const ofHeads: { readonly [name: string]: (shape: readonly number[], heads: number) => readonly number[] } = {
  wq: ([width = 0, columns = 0], heads) => [width, heads, columns / heads],
  wk: ([width = 0, columns = 0], heads) => [width, heads, columns / heads],
  wv: ([width = 0, columns = 0], heads) => [width, heads, columns / heads],
  wo: ([rows = 0, width = 0], heads) => [heads, rows / heads, width],
}

/** The shapes of the parameters as `decoderSpecs` has them, by the names of the inputs. */
export const heldShapes = (sizes: DecoderSizes): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(parameterShapes(sizes).map(([name, shape]) => [name, ofHeads[name.slice(0, 2)]?.(shape, sizes.heads) ?? shape]))

type Tree<X> = { readonly [K in keyof DecoderSpecs]: K extends 'layers' ? readonly Readonly<Record<string, X>>[] : X }

/** A tree like the decoder's parameters of what the inputs have by their own names: all matrices lie in the same order. */
export const parameterTree = <X>(layers: number, of: (name: string) => X): Tree<X> => ({
  embedding: of('emb'),
  layers: Array.from({ length: layers }, (_, layer) => {
    const own = (name: string): X => of(`${name}.${String(layer)}`)
    return {
      ...{ attentionNorm: own('n1'), query: own('wq'), key: own('wk'), value: own('wv'), output: own('wo') },
      ...{ ffnNorm: own('n2'), gate: own('w1'), up: own('w3'), down: own('w2') },
    }
  }),
  norm: of('nf'),
})
