import { setFlagsFromString } from 'node:v8'
import { exported, f32x4, fn } from './asm.js'
import { encode } from './encode.js'

const probe = (): Uint8Array =>
  encode({ functions: [exported(fn('probe', { x: 'v128' }, 'v128', {}, ({ x }) => [f32x4.relaxed_madd(x, x, x)]))] })

/** Whether this machine's WebAssembly adds a product with one rounding. Node 20 does where it is asked to. */
export const hasRelaxed = (): boolean => {
  if (WebAssembly.validate(probe())) return true
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  return WebAssembly.validate(probe())
}
