import { law } from '../../law.js'
import { agreement } from '../agreement.js'
import { openedForAll } from './opened.js'

const device = openedForAll()

law('the reference, the interpreter and WebGPU agree within the computed bound', agreement(device), { runs: 150 })
