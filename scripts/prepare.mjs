// Makes a fresh clone runnable with Node and npm alone, and costs next to nothing once it is.
// Default imports of built-ins: a named one that an old Node lacks would fail before its version
// can be checked.
import childProcess from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'

const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))
const modules = path.join(root, 'node_modules')
const dist = path.join(root, 'dist')
const installedHashFile = path.join(modules, '.lotkeeper-lock-hash')
const builtHashFile = path.join(dist, '.source-hash')

/**
 * Besides `src`, what the build is made of; the lock file says which compiler, and what the console
 * brings along.
 */
const settings = [
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build-console.mjs',
  'scripts/console-options.mjs',
  'package-lock.json',
]

/**
 * Minutes after which another process' lock counts as left behind, whatever that process is doing.
 */
const lockStaleAfterMinutes = 10

/** A failure the person running the command can act on: its message is all they need to see. */
class PreparationFailed extends Error {}

/**
 * Installs dependencies and builds `dist` where either is missing or out of date; silent when
 * neither is. Speaks on standard error, so that standard output stays the program's own. On failure
 * says why and ends the process with 1.
 */
export async function prepare() {
  await endingOnFailure(async () => {
    requireNodeVersion()
    if (isInstalled() && isBuilt()) return
    await holdingLock(async () => {
      if (!isInstalled()) await install()
      if (!isBuilt()) await compile()
    })
  })
}

/** Like `prepare()`, but builds `dist` even when it is up to date. */
export async function build() {
  await endingOnFailure(async () => {
    requireNodeVersion()
    await holdingLock(async () => {
      if (!isInstalled()) await install()
      await compile()
    })
  })
}

async function endingOnFailure(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PreparationFailed)) throw error
    say(error.message)
    process.exit(1)
  }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function requireNodeVersion() {
  const wanted = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const [major, minor] = wanted.split('.').map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  throw new PreparationFailed(
    `Lotkeeper needs Node.js ${wanted} or newer; this is ${process.versions.node}. Get one at https://nodejs.org/`,
  )
}

function isInstalled() {
  const hash = lockHash()
  if (readIfThere(installedHashFile) === hash) return true
  if (!isInstalledByHand()) return false
  fs.writeFileSync(installedHashFile, hash)
  return true
}

function lockHash() {
  return crypto
    .createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
}

// Someone who ran npm themselves has no hash file; npm's own record of the installed tree spares
// them a second install.
function isInstalledByHand() {
  const record = readIfThere(path.join(modules, '.package-lock.json'))
  if (record === undefined) return false
  const installed = JSON.parse(record).packages
  const locked = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(locked).every(([place, wanted]) => {
    if (place === '') return true
    const found = installed[place]
    // Packages for other platforms are locked, but never installed here.
    if (found === undefined) return wanted.optional === true
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
}

function isBuilt() {
  return readIfThere(builtHashFile) === sourceHash()
}

function sourceHash() {
  const hash = crypto.createHash('sha256')
  const files = [...settings, ...filesUnder('src'), ...packageSources()]
  for (const file of files) {
    const content = fs.readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** What the packages of this repository are built from. */
const packageSources = () => filesUnder('packages').filter((file) => !/\/(dist|node_modules|test)\//.test(file))

/** Paths relative to the root, sorted, so that their order never depends on the file system. */
function filesUnder(folder) {
  return fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const below = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(below) : [below]
    })
    .sort()
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}

async function install() {
  say('1/2 Installing dependencies (once, about half a minute)…')
  const hash = lockHash()
  const [command, ...first] = npmCommand()
  // Dev dependencies hold the compiler, so they are wanted even where NODE_ENV=production leaves
  // them out.
  const options = ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund']
  const onTerminal = process.stderr.isTTY === true
  const { code, output } = await run(command, [...first, ...options, `--progress=${onTerminal}`], {
    onTerminal,
    everySeconds: 5,
  })
  if (code !== 0) {
    throw new PreparationFailed(
      [
        ...(output ? [output] : []),
        `Installing failed: npm ci ended with ${code}.`,
        'If npm blames package-lock.json, run npm install. Otherwise check the network or proxy (npm ping), free disk',
        'space and write access to this folder. Then run the same command again.',
      ].join('\n'),
    )
  }
  fs.writeFileSync(installedHashFile, hash)
}

function npmCommand() {
  const running = process.env.npm_execpath
  // Under `npm start` this is the npm in use; other package managers set the variable too, but know
  // no such lock file.
  if (running && path.basename(running) === 'npm-cli.js') return [process.execPath, running]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

async function compile() {
  say('2/2 Building…')
  const hash = sourceHash()
  removeAbandonedBuilds()
  // Next to dist, as deep in the tree: renaming is atomic there, and the source maps' relative
  // paths stay right.
  const fresh = path.join(root, `.dist-${process.pid}`)
  fs.mkdirSync(fresh)
  try {
    const ignoreFile = path.join(fresh, '.gitignore')
    fs.writeFileSync(ignoreFile, '*\n')
    // First: the service is compiled against the types of its packages.
    const [npm, ...first] = npmCommand()
    const packages = await run(npm, [...first, 'run', 'build', '--workspaces', '--if-present', '--silent'])
    if (packages.code !== 0)
      throw new PreparationFailed(`${packages.output}\nBuilding the packages failed: it ended with ${packages.code}.`)
    const compiler = path.join(modules, 'typescript', 'bin', 'tsc')
    const { code, output } = await run(process.execPath, [
      compiler,
      ...['-p', path.join(root, 'tsconfig.build.json'), '--outDir', fresh],
    ])
    if (code !== 0) throw new PreparationFailed(`${output}\nBuilding failed: the compiler ended with ${code}.`)
    const kept = filesUnder('src').filter((name) => !name.endsWith('.ts') && !name.startsWith('src/console/'))
    for (const file of kept) {
      const target = path.join(fresh, path.relative('src', file))
      fs.mkdirSync(path.dirname(target), { recursive: true })
      fs.copyFileSync(path.join(root, file), target)
    }
    const page = await run(process.execPath, [
      path.join(root, 'scripts', 'build-console.mjs'),
      path.join(fresh, 'console'),
    ])
    if (page.code !== 0)
      throw new PreparationFailed(`${page.output}\nBuilding the console failed: it ended with ${page.code}.`)
    // npx makes the command executable when it links to it for the first time, and not after
    // another build.
    fs.chmodSync(path.join(fresh, 'cli', 'main.js'), 0o755)
    fs.rmSync(ignoreFile)
    // Taken before compiling: sources changed meanwhile make the next run build again.
    fs.writeFileSync(path.join(fresh, path.basename(builtHashFile)), hash)
    const old = `${fresh}-old`
    if (fs.existsSync(dist)) fs.renameSync(dist, old)
    fs.renameSync(fresh, dist)
    fs.rmSync(old, { recursive: true, force: true })
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
}

// Called with the lock held, so every such folder belongs to a process that ended half-way.
function removeAbandonedBuilds() {
  for (const name of fs.readdirSync(root).filter((entry) => /^\.dist-\d+(-old)?$/.test(entry))) {
    fs.rmSync(path.join(root, name), { recursive: true, force: true })
  }
}

/** Runs to the end; `output` holds what it printed, unless that went to the terminal. */
function run(command, args, { onTerminal = false, everySeconds } = {}) {
  return new Promise((resolve) => {
    const child = childProcess.spawn(command, args, {
      cwd: root,
      stdio: onTerminal ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
      shell: command.endsWith('.cmd'),
    })
    // It may live on should we be killed, so the lock holds until it has ended too.
    if (child.pid !== undefined) fs.appendFileSync(lockFile(), ` ${child.pid}`)
    const started = Date.now()
    const ticking =
      !onTerminal && everySeconds !== undefined
        ? setInterval(() => say(`    ${Math.round((Date.now() - started) / 1000)} s`), everySeconds * 1000)
        : undefined
    const printed = []
    child.stdout?.on('data', (chunk) => printed.push(chunk))
    child.stderr?.on('data', (chunk) => printed.push(chunk))
    const end = (code, output) => {
      clearInterval(ticking)
      resolve({ code, output: output.trim() })
    }
    child.on('error', (error) => end('an error', error.message))
    child.on('close', (code, signal) => end(code ?? signal, Buffer.concat(printed).toString()))
  })
}

// In the temp folder, since npm ci empties node_modules and a lock in the project would show up as
// an untracked file.
function lockFile() {
  const project = crypto.createHash('sha256').update(fs.realpathSync(root)).digest('hex').slice(0, 16)
  return path.join(os.tmpdir(), `lotkeeper-prepare-${project}.lock`)
}

async function holdingLock(work) {
  const file = lockFile()
  let told = false
  while (!takeLock(file)) {
    if (isStale(file)) {
      fs.rmSync(file, { force: true })
      continue
    }
    if (!told) say('Another run is installing or building here; waiting for it…')
    told = true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const release = () => fs.rmSync(file, { force: true })
  process.once('exit', release)
  try {
    await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

function takeLock(file) {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isStale(file) {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return false
  const minutes = (Date.now() - stats.mtimeMs) / 60_000
  if (minutes > lockStaleAfterMinutes) return true
  const owners = (readIfThere(file) ?? '').split(' ').map(Number)
  // A lock just made is empty until its owner has written its id.
  return owners.every((owner) => owner > 0 && !isRunning(owner))
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Anything but "no such process" is a process of somebody else.
    return error.code !== 'ESRCH'
  }
}
