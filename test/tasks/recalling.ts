import { recall } from '../../tasks/index.js'
import { right } from '../right.js'

/** The recall task with settings that it can do. */
export const recalling = (settings: recall.RecallSettings = {}) => right(recall.environment(settings))
