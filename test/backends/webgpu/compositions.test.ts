import { describeCompositions } from '../compositions.js'
import { openedForAll } from './opened.js'

describeCompositions(openedForAll())
