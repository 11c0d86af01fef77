// The examples that come with the program: beside `dist` in a package, beside `src` in a checkout.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Their folder, absolute, with a slash at the end. */
export const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url))

/** The text of an example file. @throws Error when the examples were not installed. */
export const example = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(examplesFolder + name, 'utf8'))

/** Files of one lot on its way through the supply chain, in order. */
export const chainFiles = (): readonly string[] =>
  readdirSync(`${examplesFolder}chain`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => `chain/${name}`)
