import { type Expr, inFull, type Kernel, schedule, type Statement, writtenBy } from '../../../../compiler/index.js'
import { depthsIn, lanesIn, lanesOf, type LoopLanes, merged } from './choose.js'
import { packed } from './packed.js'
import { productOf } from './product.js'

/** A kernel for a machine that runs its loops one after the other. */
export interface Nest {
  /** What an inner loop does not change is computed outside it. */
  readonly body: readonly Statement[]
  readonly lanes: LoopLanes
}

/** The loops of the space outermost, around the body as it is. */
const plain = (kernel: Kernel, full: readonly Statement[]): Nest => {
  const { space, ...lanes } = lanesOf(kernel, full)
  return { lanes, body: space.reduceRight<readonly Statement[]>((inner, loop) => [{ tag: 'for', loop, body: inner }], full) }
}

const not = (e: Expr): Expr => ({ tag: 'op', dtype: 'bool', op: 'not', operands: [e] })

/** The number after those of all loops. */
const loopsIn = (body: readonly Statement[]): number =>
  Math.max(0, ...[...depthsIn([], body).keys()].map((index) => Number(index.slice(1)) + 1))

/** As a product of matrices in blocks, where it is one and large enough, and else as it is. */
const inBlocks = (kernel: Kernel, full: readonly Statement[]): Nest => {
  const direct = plain(kernel, full)
  const product = productOf(kernel, full)
  const blocks = product && packed(product, kernel.buffers.length, loopsIn(direct.body))
  if (blocks === undefined) return direct
  const { body, isWorth, inLanes, mayChoose } = blocks
  const chosen = mayChoose.map((s) => lanesIn(s, 0, depthsIn([], [s])))
  const lanes = merged([...chosen, { loops: new Map(inLanes.map((index) => [index, new Map()])), regions: new Map() }])
  if (isWorth === undefined) return { body, lanes }
  return {
    lanes: merged([direct.lanes, lanes]),
    body: [
      { tag: 'if', condition: isWorth, body },
      { tag: 'if', condition: not(isWorth), body: direct.body },
    ],
  }
}

/** A kernel as nests of loops, and which of them run in lanes. */
export const nest = (kernel: Kernel): Nest => {
  const { body, lanes } = inBlocks(kernel, inFull(kernel))
  return { lanes, body: schedule(body, new Set([...writtenBy(kernel), kernel.buffers.length])) }
}
