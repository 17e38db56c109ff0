/** How a device is opened. */
export interface CpuOptions {
  /** How many bytes the device may take: 4 GiB, all that a 32-bit address can reach, unless less is asked for. */
  readonly limit?: number
  /**
   * After how many milliseconds of work a run on one thread lets others have a turn: 50 unless said. At 0 it does so after every command.
   * A run on several leaves this one free.
   */
  readonly turn?: number
  /**
   * Whether every machine must give the same bits. Else a sum of products may round each addition and its product together, where
   * WebAssembly has the instruction: twice as fast, and as exact or more.
   */
  readonly strict?: boolean
  /** How many threads share the work of a run that is worth it: as many as the machine has cores, unless said. Results do not depend on it. */
  readonly threads?: number
  /** From how many microseconds of work, as estimated, a run is worth waking other threads for: 150 unless said. */
  readonly wake?: number
}
