// Makes a fresh clone runnable with Node and npm alone, and costs next to nothing once it is.
// Default imports of built-ins: a named one that an old Node lacks would fail before its version
// can be checked.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { generate } from './generate.mjs'
import { newestOf, root, writeStamp } from './newest.mjs'

const dist = path.join(root, 'dist')
/** As old as the sources that the build was made of. */
const stamp = path.join(dist, '.built')
const lock = path.join(root, '.prepare.lock')
const sources = ['src', 'packages', 'scripts', 'tsconfig.json', 'package-lock.json']

/** Installs what is missing and builds what is out of date; silent when there is nothing to do. */
export async function prepare({ always = false } = {}) {
  requireNodeVersion()
  if (!always && isInstalled() && isBuilt()) return
  await takeLock()
  const release = () => fs.rmSync(lock, { force: true })
  process.once('exit', release)
  if (!isInstalled()) install()
  if (always || !isBuilt()) build()
  process.off('exit', release)
  release()
}

function requireNodeVersion() {
  const wanted = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const [[major, minor], [ownMajor, ownMinor]] = [wanted, process.versions.node].map((one) =>
    one.split('.').map(Number),
  )
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  fail(`Lotkeeper needs Node.js ${wanted} or newer; this is ${process.versions.node}. Get one at https://nodejs.org/`)
}

/**
 * npm writes this file last, so an installation that was cut off does not count, and neither does
 * one from before the dependencies changed.
 */
const isInstalled = () => {
  const installed = path.join(root, 'node_modules', '.package-lock.json')
  return fs.existsSync(installed) && fs.statSync(installed).mtimeMs >= newestOf(['package-lock.json'])
}

/** False where a source is newer than the build. */
export const isBuilt = () => fs.existsSync(stamp) && fs.statSync(stamp).mtimeMs >= newestOf(sources)

function install() {
  say('1/2 Installing dependencies (about half a minute)…')
  // Dev dependencies hold the compiler, so they are wanted even where NODE_ENV=production leaves
  // them out.
  npm(
    ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'],
    'If npm blames package-lock.json, run npm install. Otherwise check the network or proxy (npm ping), free disk space and write access to this folder.',
  )
}

function build() {
  say('2/2 Building…')
  generate()
  // Before the service, which is compiled against the types of its packages.
  npm(['run', 'build', '--workspaces', '--if-present', '--silent'])
  const newest = newestOf(sources)
  // Beside dist, then renamed: who starts meanwhile finds a whole build.
  const [fresh, old] = ['.dist', '.dist-old'].map((name) => path.join(root, name))
  for (const folder of [fresh, old]) fs.rmSync(folder, { recursive: true, force: true })
  node('scripts/build-program.mjs', fresh)
  const migrations = path.join('store', 'migrations')
  fs.cpSync(path.join(root, 'src', migrations), path.join(fresh, migrations), { recursive: true })
  node('scripts/build-console.mjs', path.join(fresh, 'console'))
  // npx makes the command executable when it links to it for the first time, and not after another
  // build.
  fs.chmodSync(path.join(fresh, 'cli', 'main.js'), 0o755)
  writeStamp(path.join(fresh, '.built'), '', newest)
  if (fs.existsSync(dist)) fs.renameSync(dist, old)
  fs.renameSync(fresh, dist)
  fs.rmSync(old, { recursive: true, force: true })
}

const node = (...args) => run(process.execPath, args)
const npm = (args, remedy) => run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, remedy)

/** Runs a command to its end. It speaks on standard error: standard output is the program's own. */
function run(command, args, remedy = '') {
  const { status } = childProcess.spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command.endsWith('.cmd'),
  })
  if (status !== 0) fail(`${[path.basename(command), ...args].join(' ')} failed. ${remedy}`)
}

/**
 * Waits for another run that installs or builds here. One that was killed leaves its lock, and is
 * not running.
 */
async function takeLock() {
  for (let waits = 0; ; waits++) {
    try {
      return fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (waits === 0) say('Another run is installing or building here; waiting for it…')
    if (!isLockHeld()) fs.rmSync(lock, { force: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function isLockHeld() {
  try {
    // Of a lock just made the id may still be missing: 0 is this process' own group, which runs.
    return process.kill(Number(fs.readFileSync(lock, 'utf8')), 0)
  } catch (error) {
    return error.code !== 'ESRCH' && error.code !== 'ENOENT'
  }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function fail(why) {
  say(why)
  process.exit(1)
}
