import { describeGolden } from './golden.js'

describeGolden('mempo')
