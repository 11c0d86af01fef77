// The end of a command: done (exit code 0), failed (1), or called wrongly (2).

import { remarks } from './terminal.ts'

/** One line for stderr, or nothing when the work is done. */
export type CommandEnd = { readonly problem: string; readonly calledWrongly?: boolean } | undefined

/**
 * Waits for a command to end, prints why it failed, and sets the exit code. No failure prints a
 * stack trace.
 */
export async function end(command: Promise<CommandEnd>): Promise<void> {
  const ended = await command.catch((error: unknown) => ({
    problem: error instanceof Error ? error.message || error.name : String(error),
    calledWrongly: false,
  }))
  if (ended === undefined) return
  await remarks.say(`lotkeeper: ${ended.problem}`)
  process.exitCode = ended.calledWrongly ? 2 : 1
}
