// Loaded into the processes of the service by bench/profile.ts: profiles from SIGUSR2 to the end of
// the process. Node 20 takes no --cpu-prof from the environment, and that would profile the start too.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: 500 })

process.once('SIGUSR2', () => {
  session.post('Profiler.start')
  process.once('exit', () =>
    session.post('Profiler.stop', (_error, { profile }) =>
      writeFileSync(join(process.env.PROFILE_FOLDER, `service-${process.pid}.cpuprofile`), JSON.stringify(profile)),
    ),
  )
})
