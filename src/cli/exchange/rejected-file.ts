// Writes the file of rejected rows beside the file they came from.
import { existsSync } from 'node:fs'
import { rejectedFile } from '../../intake/rejected-rows.ts'
import { writeWholeFile } from '../../terminal/whole-file.ts'
import type { ImportJournal } from './import-journal.ts'

/** Writes it under a free name, and returns the path; undefined when nothing was rejected. */
export async function writeRejected(path: string, journal: ImportJournal): Promise<string | undefined> {
  const file = await rejectedFile(() => journal.rejected())
  if (file === undefined) return undefined
  const target = freeName(path, file.form)
  await writeWholeFile(target, file.parts)
  return target
}

function freeName(path: string, form: string): string {
  const base = path.replace(/\.[^./\\]*$/, '').replace(/\.rejected(-\d+)?$/, '')
  for (let number = 1; ; number++) {
    const name = `${base}.rejected${number === 1 ? '' : `-${number}`}.${form}`
    if (!existsSync(name)) return name
  }
}
