import { describeGolden } from './golden.js'

describeGolden('reference-f32')
