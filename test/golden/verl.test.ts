import { describeGolden } from './golden.js'

describeGolden('verl')
