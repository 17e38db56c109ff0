import { expect, test } from 'vitest'
import { deviceKinds, openDevice, withDevice } from '../../backends/index.js'
import { must } from './opened.js'

test('the processor is opened unless another device is named, as it is asked for', async () => {
  const device = await must(openDevice())
  const strict = await must(openDevice('cpu', { strict: true, limit: 2 ** 20 }))
  expect([device, strict].map(({ facts }) => facts.isHardware)).toEqual([false, false])
  expect([device, strict].map(({ name }) => name.replace(/\d+$/, ''))).toEqual(['cpu ', 'cpu '])
  expect(strict.facts).toMatchObject({ features: ['simd'], limits: { maxBufferSize: 2 ** 20 } })
  await Promise.all([device.release(), strict.release()])
})

test('an adapter that the processor plays is no hardware', async () => {
  const device = await must(openDevice('software'))
  expect(device.facts.isHardware).toBe(false)
  await device.release()
})

test('auto is hardware, or else the processor with its options', async () => {
  const device = await must(openDevice('auto', { strict: true }))
  expect(device.facts.isHardware || (device.name.startsWith('cpu ') && device.facts.features.join() === 'simd')).toBe(true)
  await device.release()
})

test('a device opened in a bracket is released', async () => {
  const device = await must(withDevice(openDevice())((opened) => () => Promise.resolve({ _tag: 'Right', right: opened } as const)))
  expect(await device.hold('f32', { sizes: [], data: [1] })()).toMatchObject({ left: { tag: 'released' } })
})

test('every kind has a name', () => expect(deviceKinds).toEqual(['cpu', 'webgpu', 'software', 'auto']))
