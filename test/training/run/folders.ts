import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { disk, type Files } from '../../../training/index.js'

/** A new empty folder. */
export const folder = (): string => {
  mkdirSync('.tmp', { recursive: true })
  return mkdtempSync('.tmp/run-')
}

/** A path in it at which nothing is yet. */
export const place = (): string => join(folder(), 'run')

const noRoom = (file: string): Error => Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { code: 'ENOSPC' })

/** A disk with room for so many bytes more. What is written as it fills up is cut, as a real one cuts it. */
export const diskWithRoom = (room: number): Files => {
  let left = room
  return {
    ...disk,
    write: async (file, parts) => {
      const bytes = Buffer.concat(parts)
      const fits = bytes.subarray(0, left)
      left -= fits.length
      await disk.write(file, [fits])
      if (fits.length < bytes.length) throw noRoom(file)
    },
    append: async (file, text) => {
      const fits = text.slice(0, left)
      left -= fits.length
      await disk.append(file, fits)
      if (fits.length < text.length) throw noRoom(file)
    },
  }
}
