// Writes the generated files that git does not keep, and with `--all` also those that it keeps.
// Prints what it wrote, a path on each line. Run by generate.mjs.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientFiles } from './client-types.ts'
import { keptPages } from './generated-files.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isWhole = process.argv.includes('--all')

// Before the pages are loaded: that of the command line loads the commands, and these the client.
write('src/client/generated', clientFiles())
const { referencePages } = await import('./reference.ts')
write('docs/reference', referencePages())

function write(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(join(root, folder), { recursive: true })
  for (const name of readdirSync(join(root, folder)))
    if (/\.(md|json|ts)$/.test(name) && !files.has(name)) rmSync(join(root, folder, name), { force: true })
  for (const [name, text] of files) {
    if (keptPages.includes(name) && !isWhole) continue
    replaceFile(join(root, folder, name), text)
    process.stdout.write(`${folder}/${name}\n`)
  }
}

/** Whoever reads the file meanwhile sees the old one or the new one. One that is current stays. */
function replaceFile(place: string, text: string): void {
  try {
    if (readFileSync(place, 'utf8') === text) return
  } catch {
    // It does not exist yet.
  }
  const fresh = `${place}.${process.pid}`
  writeFileSync(fresh, text)
  renameSync(fresh, place)
}
