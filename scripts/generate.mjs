// Makes the files that are derived from the declarations in src: the types and addresses of the
// client, and the pages of the reference. Git keeps few of them, so installing, building, testing
// and npm run dev make them, where a source is newer. `--all` makes them in any case, with those
// that git keeps.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'
import { newestOf, root, writeStamp } from './newest.mjs'

/** The paths that were written. As old as the sources that they were made of. */
const stamp = path.join(root, '.generated')
const sources = ['src', 'packages', 'scripts', 'package.json', 'package-lock.json']
const tsx = path.join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')

function isGenerated() {
  if (!fs.existsSync(stamp) || fs.statSync(stamp).mtimeMs < newestOf(sources)) return false
  const written = fs.readFileSync(stamp, 'utf8').trim().split('\n')
  return written.every((place) => fs.existsSync(path.join(root, place)))
}

/** Generates what is out of date. Several processes may do so at once. */
export function generate({ all = false } = {}) {
  if (!all && isGenerated()) return
  const newest = newestOf(sources)
  const program = path.join(root, 'scripts', 'write-generated.ts')
  const options = ['--conditions=source', program, ...(all ? ['--all'] : [])]
  const written = childProcess.execFileSync(process.execPath, [tsx, ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  writeStamp(stamp, written, newest)
}

/** What vitest calls before the tests. */
export const setup = () => generate()

// An installation without development dependencies has no tsx, and runs what was built before.
const isInstalling = process.env.npm_lifecycle_event === 'prepare'
if (process.argv[1] === url.fileURLToPath(import.meta.url) && (fs.existsSync(tsx) || !isInstalling))
  generate({ all: process.argv.includes('--all') })
