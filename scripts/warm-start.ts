// The policy that country search begins with, taught from nothing: `npm run warm-start` makes it again, bit for bit.
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { axgrad } from '../cli/axgrad.js'

const here = fileURLToPath(new URL('../tasks/country-search/warm-start', import.meta.url))
const [to = here] = process.argv.slice(2)
const run = join(mkdtempSync(join(tmpdir(), 'axgrad-')), 'run')

const flags = ['--task', 'country-search', '--init', 'random', '--steps', '0', '--strict']
process.exitCode = await axgrad(['train', ...flags, '--out', run])
if (process.exitCode === 0) {
  mkdirSync(to, { recursive: true })
  for (const file of ['config.json', 'tokenizer.json', 'model.safetensors'])
    copyFileSync(join(run, 'checkpoints', '005500', file), join(to, file))
  console.log(`the warm start is in ${to}`)
}
