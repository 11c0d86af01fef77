// npm run bench:profile: profiles the service under PUTs with findings, for the developer tools of a
// browser.
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { untilEnded } from './ends.ts'
import { sizeOf } from './figures.ts'
import { LoadGenerator } from './load.ts'
import { processesOf } from './processes.ts'
import { type EventForm, eventTemplates } from './records.ts'
import { startService } from './service-under-load.ts'

const usage = `Usage: npm run bench:profile -- [--connections 16] [--seconds 10] [--workers 1] [--form faulty] [--node path]
                                [--folder path]`
const settleMs = 15_000
const settleConnections = 64
/** The profiler blocks a process meanwhile. */
const profilerStartMs = 2_000
const recordCount = 2_000

async function profileService(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '10' },
      workers: { type: 'string', default: '1' },
      form: { type: 'string', default: 'faulty' },
      node: { type: 'string' },
      folder: { type: 'string', default: join(tmpdir(), 'lotkeeper-profiles') },
    },
  })
  const form = values.form as EventForm
  if (!(form in eventTemplates)) throw new TypeError(`--form takes ${Object.keys(eventTemplates).join(', ')}.`)
  const folder = resolve(values.folder)
  mkdirSync(folder, { recursive: true })
  const connections = Number(values.connections)
  const hook = new URL('./profile-hook.mjs', import.meta.url).href
  const env = { WORKERS: values.workers, NODE_OPTIONS: `--import ${hook}`, PROFILE_FOLDER: folder }

  const postgresql = await startPostgresqlServer()
  const length = { connections, warmUpMs: profilerStartMs, measuredMs: Number(values.seconds) * 1000 }
  const { run, pids } = await untilEnded(async (ending) => {
    ending({ end: () => postgresql.stop() })
    const load = ending(new LoadGenerator())
    const service = ending(await startService({ DATABASE_URL: postgresql.url }, load, { env, node: values.node }))
    const pids = processesOf(service.pid)
    const records = await service.seed(recordCount, form)
    await service.replace({ connections: settleConnections, warmUpMs: 0, measuredMs: settleMs }, records, form)
    await service.pool.query('VACUUM ANALYZE')
    for (const pid of pids) process.kill(pid, 'SIGUSR2')
    return { pids, run: await service.replace(length, records, form) }
  })
  const files = pids.map((pid) => join(folder, `service-${pid}.cpuprofile`)).filter((file) => existsSync(file))
  console.log(
    `PUT over ${connections} connections, ${sizeOf(form)}, ${Math.round(run.perSecond)}/s; processor time of a PUT: service ${Math.round(run.serviceUs)} µs, PostgreSQL ${Math.round(run.databaseUs)} µs. Open in the developer tools of a browser, which sum up by file and function:`,
  )
  console.log(files.join('\n'))
  for (const fault of run.faults) throw new Error(fault)
}

profileService().catch((error) => {
  console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error)
  process.exitCode = 1
})
