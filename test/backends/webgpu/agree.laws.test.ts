import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'
import { openedForAll } from './opened.js'

const device = openedForAll()

law('the reference, the interpreter and WebGPU agree within the computed bound', agreement(device), { runs: 150 })

law('so they do at sizes on the edges of workgroups and tiles', agreement(device, largeSizes), { runs: 20 })
