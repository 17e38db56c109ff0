#!/usr/bin/env node
import { exit } from './arguments.js'
import { oldNode } from './old-node.js'

const old = oldNode(process.versions.node)
if (old === undefined) {
  const [{ axgrad }, { cutShort }] = await Promise.all([import('./axgrad.js'), import('./cut-short.js')])
  const args = process.argv.slice(2)
  const { over } = cutShort(args)
  process.exitCode = await axgrad(args)
  over()
} else {
  console.error(old)
  process.exitCode = exit.badUsage
}
