import { describeGolden } from './golden.js'

describeGolden('reference-f64')
