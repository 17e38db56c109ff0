import { serve } from '../protocol/serve.js'
import { opened } from './contender.js'

// The command line names the device: `cpu` or `webgpu`.
const [kind] = process.argv.slice(2)
await serve(() => opened(kind === 'webgpu' ? 'webgpu' : 'cpu'))
