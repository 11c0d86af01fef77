import childProcess from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import { prepare } from './prepare.mjs'

await prepare()

const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const child = childProcess.spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})

// The terminal sends Ctrl+C to both processes; this one stays until vitest has cleaned up after itself.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + os.constants.signals[signal]
})
