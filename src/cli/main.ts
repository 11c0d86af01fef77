#!/usr/bin/env node
// The command line. Exit code 1 when a command could not do its work, 2 when it was called wrongly.
import { endWithReader } from '../terminal/terminal.ts'
import { runProgram } from './program.ts'

endWithReader()
await runProgram(process.argv)
