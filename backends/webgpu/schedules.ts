import type { Tiling } from '../../compiler/index.js'

/** How the heavy kernels of a device are made: numbers, and nothing else. */
export interface Schedule {
  readonly tiling: Tiling
  /** Whether what a row would make twice is kept in memory: where functions cost more than memory does. */
  readonly keeps?: boolean
  /** How many invocations share a row, a power of two; one has a row for itself where it is not said. */
  readonly rowLanes?: number
}

/** What decides about a device's schedule: `software` is an adapter that the processor plays, where memory of a workgroup is slow. */
export type DeviceClass = 'software' | 'hardware'

export type Schedules = { readonly [C in DeviceClass]: Schedule }

/** As measured on lavapipe (bench/notes.md); for hardware as everybody begins, and not measured. */
export const usualSchedules: Schedules = {
  software: { tiling: { tile: { outer: 8, inner: 4 }, whole: { outer: 8, inner: 8 } }, keeps: true },
  hardware: { tiling: { tile: { outer: 4, inner: 4 }, shares: { lanes: 16, depth: 16 } }, rowLanes: 64 },
}
