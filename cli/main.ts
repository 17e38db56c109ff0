#!/usr/bin/env node
import { axgrad } from './axgrad.js'

process.exitCode = await axgrad(process.argv.slice(2))
