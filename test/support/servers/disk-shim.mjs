// Loaded before the program (`node --import`): a disk below the embedded database that loses power
// or fails. Below DISK_SHIM_ROOT, DISK_SHIM_MIRROR gets of each file what fsync was asked to keep,
// and nothing else: it is what a machine finds that lost its power. Changes of folders and sizes
// are kept in order, as file systems with a journal do. While the file DISK_SHIM_FAULT is there,
// whatever would write fails with the code in it.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative, resolve } from 'node:path'

const {
  DISK_SHIM_ROOT: root = '',
  DISK_SHIM_MIRROR: mirror,
  DISK_SHIM_FAULT: faultFile,
  DISK_SHIM_FORGET: forgets,
} = process.env
const real = { ...fs }
const errnos = { ENOSPC: -28, EROFS: -30, EIO: -5 }

/** Path of each open file below the root. */
const paths = new Map()
/** Ranges of each file that were written and not synced; sorted by nothing, may overlap. */
const dirty = new Map()

const isBelow = (path) => typeof path === 'string' && !relative(root, resolve(path)).startsWith('..')
const mirrored = (path) => join(mirror, relative(root, resolve(path)))

function failIfFaulty(call, path) {
  if (faultFile === undefined || !isBelow(path) || !real.existsSync(faultFile)) return
  const code = real.readFileSync(faultFile, 'utf8')
  // A full disk lets go of what it has.
  if (code === 'ENOSPC' && /unlink|rmdir|rename|fsync/.test(call)) return
  throw Object.assign(new Error(`${code}: injected, ${call}`), { code, errno: errnos[code], syscall: call, path })
}

function keep(change) {
  if (mirror === undefined) return
  try {
    change()
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

fs.openSync = (path, flags = 'r', mode) => {
  const creates = typeof flags === 'number' ? flags & fs.constants.O_CREAT : /[wa]/.test(flags)
  const empties = typeof flags === 'number' ? flags & fs.constants.O_TRUNC : /w/.test(flags)
  if (creates && !real.existsSync(path)) failIfFaulty('open', path)
  const descriptor = real.openSync(path, flags, mode)
  if (isBelow(path)) {
    paths.set(descriptor, resolve(path))
    if (creates || empties) keep(() => real.closeSync(real.openSync(mirrored(path), empties ? 'w' : 'a', mode)))
    if (empties) dirty.delete(resolve(path))
  }
  return descriptor
}

fs.closeSync = (descriptor) => {
  paths.delete(descriptor)
  real.closeSync(descriptor)
}

fs.writeSync = (descriptor, ...given) => {
  const path = paths.get(descriptor)
  if (path !== undefined) failIfFaulty('write', path)
  const [, second, , fourth] = given
  const position = typeof second === 'object' && second !== null ? second.position : fourth
  const written = real.writeSync(descriptor, ...given)
  if (path !== undefined) {
    const ranges = dirty.get(path) ?? []
    // Where no place is given, all of the file may be meant.
    ranges.push(typeof position === 'number' ? [position, written] : [0, Number.POSITIVE_INFINITY])
    dirty.set(path, ranges)
  }
  return written
}

fs.fsyncSync = (descriptor) => {
  const path = paths.get(descriptor)
  if (path !== undefined) failIfFaulty('fsync', path)
  real.fsyncSync(descriptor)
  if (path === undefined || mirror === undefined || forgets !== undefined) return
  const ranges = dirty.get(path)
  if (ranges === undefined) return
  dirty.delete(path)
  const from = real.openSync(path, 'r')
  const to = real.openSync(mirrored(path), fs.constants.O_RDWR | fs.constants.O_CREAT)
  for (const [position, length] of ranges) {
    const bytes = Buffer.alloc(Math.min(length, real.fstatSync(from).size - position))
    const count = real.readSync(from, bytes, 0, bytes.length, position)
    real.writeSync(to, bytes, 0, count, position)
  }
  real.closeSync(from)
  real.closeSync(to)
}

const moved = (from, to) => {
  if (dirty.has(resolve(from))) dirty.set(resolve(to), dirty.get(resolve(from)))
  else dirty.delete(resolve(to))
  dirty.delete(resolve(from))
  for (const [descriptor, path] of paths) if (path === resolve(from)) paths.set(descriptor, resolve(to))
}

/** Calls that change folders or sizes: they fail like writes, and are kept at once. */
function throughBoth(name, after = () => undefined) {
  fs[name] = (path, ...more) => {
    const named = typeof path === 'number' ? paths.get(path) : path
    if (named !== undefined) failIfFaulty(name, named)
    const answer = real[name](path, ...more)
    if (isBelow(named)) {
      const target = name === 'ftruncateSync' ? 'truncateSync' : name
      const rest = name === 'renameSync' ? [mirrored(more[0])] : more
      keep(() => real[target](mirrored(named), ...rest))
      after(named, ...more)
    }
    return answer
  }
}

throughBoth('mkdirSync')
throughBoth('rmdirSync')
throughBoth('truncateSync')
throughBoth('ftruncateSync')
throughBoth('unlinkSync', (path) => dirty.delete(resolve(path)))
throughBoth('renameSync', moved)
throughBoth('symlinkSync')
throughBoth('writeFileSync')

syncBuiltinESMExports()
