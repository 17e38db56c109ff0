/** Models in folders, as Hugging Face lays them out. */
export { familyFor, type ModelCard, parseConfig, printConfig } from './config.js'
export { type CheckpointError, checkpointErrorLines, renderCheckpointError } from './error.js'
export { type FamilyName, familyNames } from './families.js'
export { readModel, type StoredModel } from './folder.js'
export { parametersFrom, tensorsOf } from './parameters.js'
