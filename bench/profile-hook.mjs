// Loaded into the service by `--profile`: profiles the process from start to end. Node 20 takes no
// --cpu-prof from the environment.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'

const folder = process.env.PROFILE_FOLDER ?? '.'
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.start')

process.on('exit', () =>
  session.post('Profiler.stop', (_error, { profile }) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `service-${process.pid}.cpuprofile`), JSON.stringify(profile))
  }),
)
