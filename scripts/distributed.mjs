// Runs the tests of PostgreSQL on a throwaway Citus cluster: npm run test:distributed -- <folder of
// the server programs> [files and options of vitest].
import childProcess from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import { prepare } from './prepare.mjs'

const [binaries, ...options] = process.argv.slice(2)
const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))

if (binaries === undefined || !fs.existsSync(path.join(binaries, 'initdb'))) {
  process.stderr.write(
    `${binaries === undefined ? 'Name the folder' : `There is no initdb in ${binaries}. Name the folder`} with the server programs of a PostgreSQL that has Citus, e.g. npm run test:distributed -- /usr/lib/postgresql/15/bin. CONTRIBUTING.md, Tests, says how to build it.\n`,
  )
  process.exit(2)
}
await prepare()

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['default', 'scripts/still-running.mjs', 'scripts/not-run.mjs'].map((name) => `--reporter=${name}`)
const child = childProcess.spawn(
  process.execPath,
  [vitest, 'run', '--project', 'postgresql', ...reporters, ...options],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_SCOPE: process.env.TEST_SCOPE ?? 'named', TEST_CITUS_BIN: path.resolve(binaries) },
  },
)

// The terminal sends Ctrl+C to both processes; this one stays until vitest has cleaned up after
// itself.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + os.constants.signals[signal]
})
