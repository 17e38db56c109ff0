import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'
import { openedForAll } from './opened.js'

const opened = openedForAll()
const devices = () => [opened()]

law('the reference, the interpreter and WebGPU agree within the computed bound, on values and gradients', agreement(devices), { runs: 150 })

law('so they do at sizes on the edges of workgroups and tiles', agreement(devices, largeSizes), { runs: 20 })
