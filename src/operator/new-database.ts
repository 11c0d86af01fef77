// A service on a new database, for as long as a command needs it.
import { readConfig } from '../config.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { remarks } from '../terminal/terminal.ts'
import { start } from '../wiring.ts'

/**
 * Starts the service on a database that is made for it, hands its address and first key to `work`,
 * and stops it. The end of the command when it cannot start, or when the database has data.
 */
export async function withNewDatabase(
  work: (service: { readonly url: string; readonly key: string }) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  const place = config.databaseUrl === undefined ? `in ${config.dataDir}` : 'at DATABASE_URL'
  await remarks.say(`No key is given, so the examples go into a new database ${place}. This takes some seconds.`)
  const running = await start({ ...config, host: '127.0.0.1', port: 0, workers: 1, logLevel: 'silent' })
  if ('problem' in running)
    return { problem: `${running.problem} Or load into a running service: give its key with LOTKEEPER_KEY or --key.` }
  try {
    const key = running.firstKey
    if (key === undefined)
      return {
        problem: `The ${running.databaseName} already has data, and the examples go only into a database without records. Set DATA_DIR to a new folder, or give a key with LOTKEEPER_KEY or --key.`,
      }
    await remarks.say('Here is its first key (role: administrator); it is shown only once:')
    await remarks.write(`\n  export LOTKEEPER_URL=http://127.0.0.1:${config.port} LOTKEEPER_KEY=${key}\n\n`)
    const ended = await work({ url: running.address, key })
    if (ended === undefined) await remarks.write('\nBefore that, start the service: lotkeeper serve\n')
    return ended
  } finally {
    await running.stop()
  }
}
