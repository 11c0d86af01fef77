// Saves files from the service: to stdout, or to a path where a file appears only when it is
// complete.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { sizeText } from '../../terminal/progress.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { writeWholeFile } from '../../terminal/whole-file.ts'

interface Download {
  /** The service's file name, used when `output` is a folder. */
  readonly name: string
  readonly parts: AsyncIterable<Uint8Array | string> | Iterable<string>
  /** The progress, where it is known. */
  readonly passed?: () => string
}

/** Writes the parts as they arrive, and returns size and speed. */
export async function download(
  { name, parts, passed = () => '' }: Download,
  output: string | undefined,
): Promise<CommandEnd> {
  const began = performance.now()
  let bytes = 0
  const speedText = () => `${sizeText(bytes)}, ${sizeText((bytes / (performance.now() - began)) * 1_000)}/s`
  const counted = async function* () {
    let reportedAt = began
    for await (const part of parts) {
      bytes += Buffer.byteLength(part)
      if (performance.now() - reportedAt > progressMs) {
        reportedAt = performance.now()
        remarks.passing(`${passed()}${speedText()}`)
      }
      yield part
    }
  }
  if (output === undefined) {
    for await (const part of counted()) await results.write(part)
    remarks.passing('')
    return undefined
  }
  const isFolder = statSync(output, { throwIfNoEntry: false })?.isDirectory() ?? false
  const path = isFolder ? join(output, name) : output
  try {
    await writeWholeFile(path, counted())
  } finally {
    remarks.passing('')
  }
  await remarks.say(`Saved ${path}: ${speedText()}.`)
  return undefined
}

/** How often the terminal shows progress. */
const progressMs = 200

/** A file that is there, and not complete. */
export const damageOf = (damaged: number, where = ''): CommandEnd =>
  damaged === 0
    ? undefined
    : {
        problem: `The file is not complete: ${pluralize(damaged, 'version')} in the database ${damaged === 1 ? 'is missing or was' : 'are missing or were'} added past the service${where && `; ${where}`}. The operator of the service finds and restores them with lotkeeper doctor.`,
      }
