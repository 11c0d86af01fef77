// The long run of the crash tests: npm run crashes [-- <test files>]. Progress on the way, and a
// table of what was counted.
import childProcess from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import { prepare } from './prepare.mjs'

await prepare()

const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const child = childProcess.spawn(
  process.execPath,
  [vitest, 'run', '--disable-console-intercept', '--project', 'crashes', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
    env: {
      ...{ CRASH_CYCLES: '200', ORDER_OPERATIONS: '10000', DELIVERY_CHANGES: '10000', DELIVERY_KILLS: '100' },
      ...{ SHARING_KILLS: '100' },
      ...process.env,
      CRASH_PROGRESS: 'yes',
    },
  },
)
const table = []
let text = ''
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  process.stdout.write(chunk)
  text += chunk
  const lines = text.split('\n')
  text = lines.pop()
  table.push(...lines.filter((line) => line.startsWith('| ')))
})

// The terminal sends Ctrl+C to both processes; this one stays until vitest has cleaned up after
// itself.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('close', (code, signal) => {
  process.stdout.write(`\n${table.join('\n')}\n`)
  process.exitCode = code ?? 128 + os.constants.signals[signal]
})
