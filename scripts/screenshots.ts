// Writes docs/screenshots/: the console on a new database with the examples. Run: npm run screenshots.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lotkeeper } from '../src/client/client.ts'
import { openBrowser, settled, visit } from '../test/support/browser.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const target = join(root, 'docs/screenshots')
const dataDir = mkdtempSync(join(tmpdir(), 'lotkeeper-screenshots-'))

const example = (name: string) => JSON.parse(readFileSync(join(root, 'examples', name), 'utf8'))

const server = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'serve'], {
  env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: join(dataDir, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { url, key } = await started()
  const api = lotkeeper({ url, key })
  for (const name of readdirSync(join(root, 'examples/chain')).sort())
    await api.createReceivingEvents({ body: example(join('chain', name)) })
  const { body } = await api.createReceivingEvents({ body: example('receiving-event.json') })
  const [id = ''] = body.request_ids
  await api.replaceReceivingEvent({ id, body: example('receiving-event-corrected.json') })
  const incomplete = example('receiving-event.json')
  incomplete.eventList.eventDateTime = '2026-03-05T11:10:00-05:00'
  incomplete.eventList.productList[0].caseGtin = '10614141000419'
  delete incomplete.eventList.productList[1].caseGtin
  const [flawed = ''] = (await api.createReceivingEvents({ body: incomplete })).body.request_ids

  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const browser = await openBrowser()
  const shots = [
    ['overview', '/', 'light', 1280],
    ['completeness', '/completeness?by=shipToLocationCode', 'dark', 1280],
    ['trace', '/trace?lotCode=GV26063-A', 'light', 1280],
    ['fda', '/fda?eventStartDate=2026-03-01&eventEndDate=2026-03-31', 'light', 1280],
    ['import', '/import', 'dark', 1280],
    ['events', '/events', 'light', 1280],
    ['record', `/events/${flawed}`, 'light', 1280],
    ['versions', `/events/${id}/versions?compare=1..2`, 'light', 1280],
    ['edit', `/events/${id}/edit`, 'dark', 1280],
    ['narrow', '/events', 'dark', 360],
  ] as const
  for (const [name, path, colorScheme, width] of shots) {
    const { page, end } = await visit(browser, path, { url, key, colorScheme, width })
    await settled(page)
    await page.screenshot({ path: join(target, `${name}.png`) })
    await end()
  }
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}

/** Its address, and the key that the first start prints. */
function started(): Promise<{ url: string; key: string }> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.once('exit', () => reject(new Error(`The server did not start: ${output}`)))
    server.stdout.on('data', (chunk) => {
      output += chunk
      const url = /ready at (http:\S+)/.exec(output)?.[1]
      const key = /lk_\w+_[\w-]{43}/.exec(output)?.[0]
      if (url && key) resolve({ url, key })
    })
  })
}
