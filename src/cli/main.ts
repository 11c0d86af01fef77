#!/usr/bin/env node
// The command line. Exit code 1 when a command could not do its work, 2 when it was called wrongly.
import { CommanderError } from 'commander'
import { endWithReader } from '../terminal/terminal.ts'
import { lotkeeperProgram } from './program.ts'

endWithReader()
try {
  await lotkeeperProgram().parseAsync()
} catch (error) {
  // Thrown after the message was written, also for --help. A command group without a command has
  // its help on stderr: it was called wrongly.
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : 2
}
