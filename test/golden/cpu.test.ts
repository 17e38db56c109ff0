import { describeGolden } from './golden.js'

describeGolden('cpu')
