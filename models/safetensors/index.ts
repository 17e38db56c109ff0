/** Tensors in files, as Hugging Face stores them. */
export { renderSafetensorsError, type SafetensorsError } from './error.js'
export { readSafetensors, type Safetensors, type StoredTensor, storedValue } from './read.js'
export type { StoredDtype } from './widen.js'
export { safetensorsParts, writeSafetensors } from './write.js'
