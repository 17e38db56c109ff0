/** What every place where programs run has in common. */
export * from './backend.js'
export { withDevice } from './bracket.js'
