// The package of the service as it is published. That of the client: test/client/package.test.ts.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('the package holds the program, its console and its initial database, and no tests', () => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: root, encoding: 'utf8' })
  const [packed] = JSON.parse(said) as [{ files: { path: string }[] }]
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toContain('dist/cli/main.js')
  expect(paths).toContain('dist/console/index.html')
  expect(paths).toContainEqual(expect.stringMatching(/^node_modules\/pglite-pool\/dist\/initial-database-[\d.]+\.br$/))
  const others = paths.filter((path) => !/^node_modules\/(pglite-pool|modern-tar)\//.test(path))
  expect(others.filter((path) => /(^|\/)(test|bench|node_modules)\//.test(path))).toEqual([])
})
