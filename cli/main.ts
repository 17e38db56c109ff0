#!/usr/bin/env node
import { exit } from './arguments.js'
import { oldNode } from './old-node.js'

const old = oldNode(process.versions.node)
if (old === undefined) {
  const { axgrad } = await import('./axgrad.js')
  process.exitCode = await axgrad(process.argv.slice(2))
} else {
  console.error(old)
  process.exitCode = exit.badUsage
}
