import { describeGolden } from './golden.js'

describeGolden('software')
