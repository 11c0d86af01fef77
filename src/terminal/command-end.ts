// How a command ends: done (exit code 0), could not (1), or called wrongly (2).

import { remarks } from './terminal.ts'

/** One line for stderr, or nothing when the work is done. */
export type CommandEnd = { readonly problem: string; readonly calledWrongly?: boolean } | undefined

/**
 * Waits for a command to end, says what kept it from its work, and sets the exit code. No failure
 * shows a stack trace.
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
