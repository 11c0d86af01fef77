// Runs the tests: quick, usual or all of them. What follows goes to vitest: files, --project,
// --watch.
import childProcess from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import { prepare } from './prepare.mjs'

const [scope, ...options] = process.argv.slice(2)
const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')

if (scope !== 'quick') await prepare()

// What is named runs wherever it can, also where the usual run leaves it out.
const isNamed = options.some((option) => !option.startsWith('-'))
const isWatching = options.includes('--watch') || options.includes('-w')

const child = childProcess.spawn(process.execPath, [vitest, ...(isWatching ? [] : ['run']), ...options], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_SCOPE: scope === 'usual' && isNamed ? 'named' : scope },
})

// The terminal sends Ctrl+C to both processes; this one stays until vitest has cleaned up after
// itself.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + os.constants.signals[signal]
})
