import { describeGolden } from './golden.js'

describeGolden('trl')
