// What tsc leaves to do: the checkpoint that is read where the modules are, and a command that can be run.
import { chmodSync, cpSync } from 'node:fs'

cpSync('tasks/country-search/warm-start', 'dist/tasks/country-search/warm-start', { recursive: true })
chmodSync('dist/cli/main.js', 0o755)
