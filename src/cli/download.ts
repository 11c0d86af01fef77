// Files that the service answers with: to stdout, or to a path where a file appears only when it is
// whole.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandEnd } from '../terminal/command-end.ts'
import { sizeText } from '../terminal/progress.ts'
import { remarks, results } from '../terminal/terminal.ts'
import { writeWholeFile } from '../terminal/whole-file.ts'

interface Download {
  /** What the service calls the file; used when `output` is a folder. */
  readonly name: string
  readonly parts: AsyncIterable<Uint8Array | string>
  /** How far it is, where that is known. */
  readonly passed?: () => string
}

/** Writes the parts as they arrive, and says how many bytes came and how fast. */
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
  } catch (error) {
    const { code, path: where } = error as NodeJS.ErrnoException
    if (where !== undefined) return { problem: `${path} cannot be written (${code}).` }
    throw error
  } finally {
    remarks.passing('')
  }
  await remarks.say(`Saved ${path}: ${speedText()}.`)
  return undefined
}

/** How often a terminal is told how far it is. */
const progressMs = 200
