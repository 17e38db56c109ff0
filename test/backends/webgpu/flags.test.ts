import { expect, test } from 'vitest'
import { globals } from 'webgpu'
import { bufferUsage, mapMode, shaderStage } from '../../../backends/webgpu/flags.js'

/** The constants of a namespace, which are properties of a function, under our spelling of their names. */
const inDawn = (namespace: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries((globals as Record<string, object>)[namespace]!).map(([name, bit]) => [
      name.toLowerCase().replace(/_./g, (pair) => pair.slice(1).toUpperCase()),
      bit as unknown,
    ]),
  )

test("the flags are Dawn's", () => {
  expect(inDawn('GPUBufferUsage')).toMatchObject(bufferUsage)
  expect(inDawn('GPUMapMode')).toMatchObject(mapMode)
  expect(inDawn('GPUShaderStage')).toMatchObject(shaderStage)
})
