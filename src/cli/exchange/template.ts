// `lotkeeper template FILE`: writes the template to fill in and import.
import { existsSync } from 'node:fs'
import { templateCsv, templateWorkbook } from '../../intake/template-file.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { writeWholeFile } from '../../terminal/whole-file.ts'
import { type EventKindWord, eventKindsByWord } from '../base/kinds.ts'

export async function writeTemplate(
  path: string,
  { kind: word }: { readonly kind?: EventKindWord },
): Promise<CommandEnd> {
  const kind = word && eventKindsByWord[word].name
  if (existsSync(path)) return { problem: `${path} already exists. Give another name.` }
  const bytes = /\.xlsx$/i.test(path)
    ? templateWorkbook(kind)
    : /\.csv$/i.test(path)
      ? ['\uFEFF', templateCsv(kind)]
      : undefined
  if (bytes === undefined) return { problem: `${path} must end with .xlsx or .csv.` }
  await writeWholeFile(path, bytes)
  process.stdout.write(`Wrote ${path}. Fill it in, then run: lotkeeper import ${path}\n`)
  return undefined
}
