import { describeGolden } from './golden.js'

describeGolden('mm')
