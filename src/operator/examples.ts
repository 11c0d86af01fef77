// The examples that come with the program: beside `dist` in a package, beside `src` in a checkout.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where they are, absolute, with a slash at the end. */
export const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url))

/** A payload as it stands in its file. @throws Error when the examples were not installed. */
export const example = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(examplesFolder + name, 'utf8'))

/** Files of a lot on its way through the trade, in order. */
export const chainFiles = (): readonly string[] =>
  readdirSync(`${examplesFolder}chain`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => `chain/${name}`)
