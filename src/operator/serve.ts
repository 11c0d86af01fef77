// `lotkeeper serve`: starts the service, and on the first start of an empty database prints how to
// use it.
import { relative } from 'node:path'
import { readConfig } from '../config.ts'
import { examplesFolder } from '../program-folders.ts'
import { openMigratedDatabase } from '../store/database/migrated-database.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { isWorker } from '../workers.ts'
import { isMade } from './local-database.ts'

export async function serve(): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  if (isWorker) {
    const { work } = await import('../wiring.ts')
    await work(config, endAfter)
    return undefined
  }
  const isNew = !isMade(config)
  // The embedded database starts in a thread of its own while the service is loaded, which takes as
  // long.
  const opening = openMigratedDatabase(config)
  const starting = import('../wiring.ts').then(({ start }) => start(config, opening))
  let isOpen = false
  opening.then(
    () => {
      isOpen = true
    },
    // `starting` reports it.
    () => undefined,
  )
  // From the beginning: the service takes requests before its start is complete. Until its database
  // is open there is nothing to end in order: the next start does an interrupted one again.
  stopOnSignal(async () => {
    const started = isOpen ? await starting : undefined
    if (started && !('problem' in started)) await started.stop()
  })
  if (isNew) process.stdout.write(`Creating the embedded database in ${config.dataDir} (once, a few seconds)…\n`)
  const running = await starting
  if ('problem' in running) return running

  process.stdout.write(
    `Lotkeeper is ready at ${running.address} on the ${running.databaseName}.\nConsole: ${running.address}/console/\nAPI documentation: ${running.address}/docs\n${
      running.metricsPort === undefined
        ? ''
        : `Metrics: port ${running.metricsPort} of ${config.metricsHost}, /metrics\n`
    }${running.firstKey === undefined ? '' : firstSteps(running.address, running.firstKey)}`,
  )
  const failure = await running.failed
  endInTime()
  return failure
}

/** Longest duration of a stop before the process exits in any case, in milliseconds. */
const stopPatienceMs = 10_000

function stopOnSignal(stop: () => Promise<void>): void {
  const once = () => {
    process.off('SIGTERM', once).off('SIGINT', once)
    process.stdout.write('Stopping…\n')
    endAfter(stop)
  }
  process.on('SIGTERM', once).on('SIGINT', once)
}

function endAfter(stop: () => Promise<void>): void {
  endInTime()
  stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

function endInTime(): void {
  setTimeout(() => process.exit(1), stopPatienceMs).unref()
}

/**
 * Where the examples are, as it is written in a command: they come with the program, wherever it is
 * run from.
 */
const examplesPath = (): string => {
  const folder = relative(process.cwd(), examplesFolder) || '.'
  // Plain paths stay short; any other is quoted for the shell.
  const path = folder.startsWith('..') ? examplesFolder.replace(/\/$/, '') : folder
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Printed once: the key cannot be shown again. The lines work as they are, pasted from the top. */
const firstSteps = (address: string, key: string): string => `
This database is new. Here is its first key (role: administrator); it is shown only once:

  ${key}

Try it, from this folder in another terminal:

  export LOTKEEPER_URL=${address} LOTKEEPER_KEY=${key}

  # create a receiving event, and keep its id
  CREATED=$(curl -s $LOTKEEPER_URL/data-provider/events/receiving -H "Authorization: Bearer $LOTKEEPER_KEY" -H 'Content-Type: application/json' -d @${examplesPath()}/receiving-event.json); echo "$CREATED"
  ID=$(echo "$CREATED" | cut -d '"' -f 4)

  # replace it as a whole: fields that the new body lacks are removed, and the answer lists them
  curl -s -X PUT $LOTKEEPER_URL/data-provider/events/receiving/$ID -H "Authorization: Bearer $LOTKEEPER_KEY" -H 'Content-Type: application/json' -H 'Prefer: return=representation' -d @${examplesPath()}/receiving-event-corrected.json

  # read it, and its history
  curl -s $LOTKEEPER_URL/data-provider/events/receiving/$ID -H "Authorization: Bearer $LOTKEEPER_KEY"
  curl -s $LOTKEEPER_URL/data-provider/events/receiving/$ID/versions -H "Authorization: Bearer $LOTKEEPER_KEY"

More keys: npx lotkeeper keys create --help
All commands: npx lotkeeper --help; the examples, in an account of their own: LOTKEEPER_KEY=$(npx lotkeeper keys create --provider demo) npx lotkeeper demo

`
