import { describeGolden } from './golden.js'

describeGolden('interpreter')
