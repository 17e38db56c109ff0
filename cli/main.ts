#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { exit } from './arguments.js'
import { addCheck } from './check.js'
import { addInspect } from './inspect.js'

const program = new Command('axgrad')
  .description('A tensor language with its own derivative, for people who invent losses')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })

addCheck(program)
addInspect(program)
for (const command of program.commands) command.exitOverride()

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? exit.passed : exit.badUsage
}
