/** Of four numbers. */
export const vectorBytes = 16

/** What kernels may read as vectors is a whole number of them. */
export const inVectors = (bytes: number): number => vectorBytes * Math.ceil(bytes / vectorBytes)
