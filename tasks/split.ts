import type { Split } from './environment.js'

/** h ⊕ (h ≫ by), then times a constant: the step of MurmurHash3's finalizer, after which every bit of h counts in the remainder. */
const mix = (h: number, by: number, factor: number): number => Math.imul(h ^ (h >>> by), factor)

/** FNV-1a of some bytes, finished as MurmurHash3 is: a u32. */
const hash = (bytes: Iterable<number>): number => {
  let h = 0x811c9dc5
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193)
  return mix(mix(mix(h, 16, 0x85ebca6b), 13, 0xc2b2ae35), 16, 1) >>> 0
}

/** The side of the split that what these bytes name is on, whatever else is: held out where their hash is a multiple of 10, one in ten. */
export const sideOf = (bytes: Iterable<number>): Split => (hash(bytes) % 10 === 0 ? 'heldOut' : 'train')
