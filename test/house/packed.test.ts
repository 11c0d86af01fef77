// The package of the service as it is published. That of the client: test/client/package.test.ts.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

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
  const others = paths.filter((path) => !/^node_modules\/(pglite-pool|modern-tar)\//.test(path))
  expect(others.filter((path) => /(^|\/)(test|bench|node_modules)\//.test(path))).toEqual([])
})

test('it runs where the registry has none of the packages of this repository', () => {
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
    const lotkeeper = (...args: string[]) => run(process.execPath, ['node_modules/lotkeeper/dist/cli/main.js', ...args])
    lotkeeper('demo')
    lotkeeper('backup', 'backup.tar.gz')
    expect(lotkeeper('restore', 'backup.tar.gz', '--check')).toContain('backup.tar.gz is complete')
    expect(lotkeeper('keys', 'list')).toContain('administrator')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
