// The examples that come with the program.
import { readdirSync, readFileSync } from 'node:fs'
import { examplesFolder } from '../program-folders.ts'

/** The text of an example file. @throws Error when the examples were not installed. */
export const example = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(examplesFolder + name, 'utf8'))

/** Files of one lot on its way through the supply chain, in order. */
export const chainFiles = (): readonly string[] =>
  readdirSync(`${examplesFolder}chain`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => `chain/${name}`)
