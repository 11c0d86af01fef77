// The examples that come with the program.
import { readdirSync, readFileSync } from 'node:fs'
import { type EventKind, eventKindList } from '../contract/record-kinds.ts'
import { examplesFolder } from '../program-folders.ts'

/** The text of an example file. @throws Error when the examples were not installed. */
export const example = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(examplesFolder + name, 'utf8'))

/** Files of lots on their way from farm to store, in order, each named after its kind. */
export const chainFiles = (): readonly { readonly file: string; readonly kind: EventKind }[] =>
  readdirSync(`${examplesFolder}chain`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const kind = eventKindList.find(({ path }) => path.endsWith(`/${name.split('.')[1]}`))
      return kind === undefined ? [] : [{ file: `chain/${name}`, kind }]
    })
