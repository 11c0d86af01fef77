// The tree as files: what the house tests read.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What no person wrote, or git does not keep. */
const passedOver = ['node_modules', 'dist', 'data', 'coverage', '.git']

/**
 * Files below a folder whose path matches, relative to the root, sorted; '' is the whole tree. A
 * folder that is not there has none.
 */
export function filesUnder(folder: string, pattern: RegExp): readonly string[] {
  return entriesOf(folder)
    .flatMap(({ path, isFolder }) => (isFolder ? filesUnder(path, pattern) : pattern.test(path) ? [path] : []))
    .sort()
}

function entriesOf(folder: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !passedOver.includes(name) && !name.startsWith('.dist'))
      .map((entry) => ({ path: folder ? `${folder}/${entry.name}` : entry.name, isFolder: entry.isDirectory() }))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

/** Where a file of the tree is on this machine. */
export const placeOf = (path: string): string => join(root, path)

export const textOf = (path: string): string => readFileSync(placeOf(path), 'utf8')

/** Text of a file that need not be there yet. */
export const textIfThere = (path: string): string | undefined => {
  try {
    return textOf(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}
