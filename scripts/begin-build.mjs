// What an earlier build left, modules that are no more among it, would be packed.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
