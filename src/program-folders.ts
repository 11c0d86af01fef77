// Folders that come with the program. The built file is as deep in `dist` as its source is in
// `src`, so that the same paths hold (decision 0043).
import { fileURLToPath } from 'node:url'

/** The migrations of the schema. */
export const migrationsFolder = new URL('./store/migrations/', import.meta.url)

/** The console: sources have it where the last build put it. */
export const consoleFolder = new URL('../dist/console/', import.meta.url)

/**
 * The examples of the guides, as a path with a slash at the end: beside `dist` in a package, beside
 * `src` in a checkout.
 */
export const examplesFolder = fileURLToPath(new URL('../examples/', import.meta.url))
