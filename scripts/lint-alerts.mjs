// npm run lint:alerts: the alert rules of the examples, their unit tests, and every query of the
// dashboards, by promtool. Where there is none, it is taken out of Debian's package `prometheus`
// into node_modules/.cache, which needs no rights.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './newest.mjs'

const folder = path.join(root, 'examples/operating')
const cache = path.join(root, 'node_modules/.cache/promtool')

function findPromtool() {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool'
  const own = path.join(cache, 'promtool')
  if (!existsSync(own)) unpackPromtool(own)
  return own
}

function unpackPromtool(target) {
  mkdirSync(cache, { recursive: true })
  // A registry that does not answer is given five minutes.
  const apt = (...args) => spawnSync('apt-get', ['--quiet=2', ...args], { cwd: cache, timeout: 300_000 }).status === 0
  // Without rights the lists stay as they are, which mostly does.
  if (!apt('download', 'prometheus') && !(apt('update') && apt('download', 'prometheus')))
    throw new Error('promtool is missing. Install Prometheus, or put promtool on the PATH.')
  const [archive] = readdirSync(cache).filter((name) => name.endsWith('.deb'))
  const files = execFileSync('dpkg-deb', ['--fsys-tarfile', path.join(cache, archive)], { maxBuffer: 2 ** 30 })
  const program = execFileSync('tar', ['-xO', './usr/bin/promtool'], { input: files, maxBuffer: 2 ** 30 })
  writeFileSync(target, program)
  chmodSync(target, 0o755)
  rmSync(path.join(cache, archive))
}

/** The queries of the dashboards, as a file of rules: promtool reads no others. */
function writeQueries() {
  const boards = readdirSync(path.join(folder, 'dashboards'))
  const queries = boards.flatMap((name) => {
    const { panels } = JSON.parse(readFileSync(path.join(folder, 'dashboards', name), 'utf8'))
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  })
  const rules = queries.map((expr, i) => ({ record: `dashboards:query_${i}`, expr }))
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lotkeeper-queries-')), 'queries.json')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboards', rules }] }))
  return { file, count: queries.length, boards: boards.length }
}

const promtool = findPromtool()
const run = (...args) => execFileSync(promtool, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
const { file, count, boards } = writeQueries()
try {
  run('check', 'rules', 'alerts.yml')
  run('test', 'rules', 'alerts.test.yml')
  run('check', 'rules', file)
  console.log(`The alert rules pass their tests, and ${count} queries of ${boards} dashboards are valid.`)
} catch {
  process.exitCode = 1
} finally {
  rmSync(path.dirname(file), { recursive: true })
}
