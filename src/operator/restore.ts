// `lotkeeper restore`: a backup into an empty database, or only the look whether the file is whole.
import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readConfig } from '../config.ts'
import { type BackupHead, NotABackup, readBackup } from '../store/backup/backup-file.ts'
import { restoreInto } from '../store/backup/restore.ts'
import { openDatabase } from '../store/database.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { Progress } from '../terminal/progress.ts'
import { remarks, results } from '../terminal/terminal.ts'

export async function restore(path: string, { check }: { readonly check?: boolean }): Promise<CommandEnd> {
  const progress = new Progress()
  try {
    const source = path === '-' ? undefined : statSync(path)
    const bytes = { read: 0, all: source?.size }
    const backup = await readBackup(uncompress(path, bytes))
    const told = (rows: number) =>
      progress.show(bytes.all === undefined ? 0 : bytes.read / bytes.all, rows, 'rows', 0, '')
    return check ? await look(backup, path, told) : await load(backup, told)
  } catch (error) {
    if (error instanceof NotABackup)
      return { problem: `${path} is not a complete backup. ${error.message}${check ? '' : ' Nothing was restored.'}` }
    const { code, path: where, message } = error as NodeJS.ErrnoException
    if (where === path) return { problem: `${path} cannot be read (${code}).` }
    return { problem: check ? message : `${message} Nothing was restored.` }
  } finally {
    progress.clear()
  }
}

type Backup = Awaited<ReturnType<typeof readBackup>>

async function look({ head, pages }: Backup, path: string, told: (rows: number) => void): Promise<CommandEnd> {
  let rows = 0
  for await (const page of pages) {
    rows += page.rows
    told(rows)
  }
  await results.write(`${path} is complete: ${contents(head)}\n`)
  for (const { name, rows: count } of head.tables)
    await results.write(`  ${count.toLocaleString('en').padStart(12)} ${name}\n`)
  return undefined
}

async function load(backup: Backup, told: (rows: number) => void): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  await remarks.say(`Restoring ${contents(backup.head)}`)
  const opened = await openDatabase(config)
  if ('heldBy' in opened)
    return {
      problem: `The folder ${config.dataDir} is in use by ${opened.heldBy}. Restore into a new folder: set DATA_DIR.`,
    }
  try {
    const restored = await restoreInto(opened.pool, backup, told)
    if ('problem' in restored) return restored
    const { rows, migrated, leftOut } = restored
    for (const table of leftOut) await remarks.say(`Skipped ${table}, which is not a table of Lotkeeper.`)
    await results.write(`Restored ${rows.toLocaleString('en')} rows into the ${opened.name}.\n`)
    if (migrated.length > 0) await results.write(`Then brought the schema up to date: ${migrated.join(', ')}.\n`)
    await remarks.say('Keys revoked after the backup are valid again: lotkeeper keys list')
    return undefined
  } finally {
    await opened.close()
  }
}

const contents = ({ madeAt, program, tables, migrations }: BackupHead): string =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en')} rows as of ${madeAt}, made by Lotkeeper ${program}, schema ${migrations.at(-1)?.file}.`

function uncompress(path: string, bytes: { read: number }): AsyncIterable<Buffer> {
  const file: Readable = path === '-' ? process.stdin : createReadStream(path)
  const gunzip = createGunzip()
  file.on('data', (chunk: Buffer) => {
    bytes.read += chunk.length
  })
  file.on('error', (error) => gunzip.destroy(error))
  return file.pipe(gunzip)
}
