import { describe, expect, test } from 'vitest'
import { encode, type WasmFunction } from '../../../../../backends/cpu/wasm/encode.js'
import { mathNames, withHelpers } from '../../../../../backends/cpu/wasm/math.js'

describe('a module with some of them', () => {
  const names = (functions: readonly WasmFunction[]): readonly string[] => functions.map(({ name }) => name)

  test('has the helpers they need, and no others', () => {
    expect(names(withHelpers(['mod.x4', 'exp']))).toEqual(['exp', 'mod', 'mod.x4'])
    expect(names(withHelpers(['sin']))).toEqual(['twoOverPiWord', 'twoOverPiDigits', 'quarterTurns', 'farSine', 'sinNear', 'sin'])
    expect(names(withHelpers([]))).toEqual([])
  })

  test('does not depend on the order of asking', () => {
    expect(withHelpers(['sin', 'exp'])).toEqual(withHelpers(['exp', 'sin', 'exp']))
  })

  test.each(mathNames.flatMap((name) => [name, `${name}.x4`]))('%s validates with what it needs alone', (name) => {
    expect(WebAssembly.validate(encode({ functions: withHelpers([name]) }))).toBe(true)
    expect(names(withHelpers([name]))).toContain(name)
  })
})
