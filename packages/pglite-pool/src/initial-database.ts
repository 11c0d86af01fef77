// The empty database that a first start begins with. The build makes it once, because initdb takes
// 4 s of processor time in WebAssembly.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** A folder has no size. Paths are relative, with slashes; a folder stands before what is in it. */
interface PackedEntry {
  readonly path: string
  readonly size?: number
}

/** Of quality 9 with a large window: 40 MB become 1.5 MB, in 1.5 s. gzip makes 4.5 MB of them. */
const packing = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
}

/** Length of the number before the list of entries, in bytes. */
const prefixBytes = 4

/** Packs all folders and files below a folder. */
export function packFolder(folder: string): Buffer {
  const entries: PackedEntry[] = []
  const contents: Buffer[] = []
  const add = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inside = join(path, entry.name)
      const name = relative(folder, inside).replaceAll('\\', '/')
      if (entry.isDirectory()) {
        entries.push({ path: name })
        add(inside)
      } else {
        const content = readFileSync(inside)
        entries.push({ path: name, size: content.length })
        contents.push(content)
      }
    }
  }
  add(folder)
  const list = Buffer.from(JSON.stringify(entries))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(list.length)
  return brotliCompressSync(Buffer.concat([prefix, list, ...contents]), packing)
}

/** Writes what was packed into a folder that is there and empty. Nothing is flushed to disk. */
export function unpackFolder(packed: Buffer, folder: string): void {
  const whole = brotliDecompressSync(packed)
  let at = prefixBytes + whole.readUInt32BE()
  const entries: readonly PackedEntry[] = JSON.parse(whole.toString('utf8', prefixBytes, at))
  for (const { path, size } of entries)
    if (size === undefined) mkdirSync(join(folder, path), { mode: 0o700 })
    else {
      writeFileSync(join(folder, path), whole.subarray(at, at + size), { mode: 0o600 })
      at += size
    }
  if (at !== whole.length) throw new Error('the packed database is not whole')
}

/**
 * Name of the packed database, with the version of PGlite that made it: another version finds none
 * and makes its own.
 */
export function initialDatabaseName(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(entry, '..', '..', 'package.json'), 'utf8'))
  return `initial-database-${version}.br`
}

/** The packed database; undefined where the build left none, as beside the sources. */
export function readInitialDatabase(): Buffer | undefined {
  try {
    return readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), initialDatabaseName()))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
