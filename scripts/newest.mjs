// How new the sources are: what decides whether to build or to generate again.
// Default imports of built-ins: prepare.mjs must load on an old Node, to tell that it is too old.
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'

export const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))

/** What a build, an installation or a generation writes beside the sources. */
const isOutput = (name) => ['dist', 'generated', 'node_modules'].includes(name)

/**
 * When a file, or anything in a folder, was last changed. Folders count, as they change when a file
 * is removed. One with output in it does not, as it changes with the output.
 */
function newestIn(place) {
  const stats = fs.statSync(path.join(root, place))
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = fs.readdirSync(path.join(root, place))
  const inside = names.filter((name) => !isOutput(name)).map((name) => newestIn(path.join(place, name)))
  return Math.max(names.some(isOutput) ? 0 : stats.mtimeMs, ...inside)
}

/** When the newest of these files and folders was changed, in milliseconds. */
export const newestOf = (places) => Math.max(...places.map(newestIn))

/** Makes a file that is as old as the sources that something was made of. */
export function writeStamp(file, text, newestMs) {
  fs.writeFileSync(file, text)
  // The next millisecond: what is set here is kept less finely than what the file system notes
  // itself.
  const seconds = (Math.ceil(newestMs) + 1) / 1000
  fs.utimesSync(file, seconds, seconds)
}
