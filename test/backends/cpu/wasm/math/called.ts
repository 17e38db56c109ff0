import { exported } from '../../../../../backends/cpu/wasm/asm.js'
import { encode } from '../../../../../backends/cpu/wasm/encode.js'
import { mathNames, type MathName, withHelpers } from '../../../../../backends/cpu/wasm/math.js'

/** A function of one number. */
export type Unary = Exclude<MathName, 'pow' | 'mod' | 'threefry0' | 'threefry1'>

export const unaryNames = mathNames.filter((name): name is Unary => !['pow', 'mod', 'threefry0', 'threefry1'].includes(name))

const instance = new WebAssembly.Instance(new WebAssembly.Module(encode({ functions: withHelpers(mathNames).map(exported) })))
/** Each function, of single numbers. */
export const math = instance.exports as unknown as { readonly [N in MathName]: (x: number, y?: number) => number }
