// `lotkeeper backup`: the whole database as one file, while the service goes on.
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { readConfig } from '../config.ts'
import { type AllRows, withAllRows } from '../store/backup/all-rows.ts'
import { backupBytes } from '../store/backup/backup-file.ts'
import { openToRead } from '../store/database.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { Progress, sizeText } from '../terminal/progress.ts'
import { remarks, results } from '../terminal/terminal.ts'
import { isMade } from './local-database.ts'

export async function backup(path: string): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  if (!isMade(config))
    return { problem: `There is no database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to its place.` }
  if (path !== '-' && existsSync(path)) return { problem: `${path} already exists. Name a new file.` }
  const opened = await openToRead(config)
  if ('heldBy' in opened)
    return {
      problem: `The folder ${config.dataDir} is in use by ${opened.heldBy}, which cannot be reached. Stop it, then run the backup.`,
    }
  try {
    if (opened.heldMs !== undefined)
      await remarks.say(`The service waited ${(opened.heldMs / 1_000).toFixed(1)} s while its files were copied.`)
    return await withAllRows(opened.pool, (all) => write(all, path))
  } finally {
    await opened.close()
  }
}

async function write({ head, pages }: AllRows, path: string): Promise<CommandEnd> {
  const rows = head.tables.reduce((sum, table) => sum + table.rows, 0)
  const progress = new Progress()
  let [done, bytes] = [0, 0]
  const told = async function* () {
    for await (const page of pages) {
      yield page
      done += page.rows
      progress.show(done / Math.max(1, rows), done, 'rows', 0, ` · ${sizeText(bytes)}`)
    }
  }
  // Fast, and within some percent of what slower levels reach: a backup is JSON that repeats itself.
  const compressed = Readable.from(backupBytes(head, told())).compose(createGzip({ level: 4 }))
  const counted = async function* () {
    for await (const chunk of compressed) {
      bytes += chunk.length
      yield chunk as Buffer
    }
  }
  try {
    if (path === '-') for await (const chunk of counted()) await results.write(chunk)
    else await save(counted(), path)
  } finally {
    progress.clear()
  }
  await remarks.say(
    `${path === '-' ? 'Wrote' : `Saved ${path}:`} ${done.toLocaleString('en')} rows, ${sizeText(bytes)}, as of ${head.madeAt}, schema ${head.migrations.at(-1)?.file}.`,
  )
  return undefined
}

/** The file appears when it is whole and on the disk. */
async function save(chunks: AsyncIterable<Buffer>, path: string): Promise<void> {
  const unfinished = `${path}.part`
  // For its owner only: it holds the records of all providers.
  const file = await open(unfinished, 'w', 0o600)
  try {
    for await (const chunk of chunks) await file.write(chunk)
    await file.sync()
    await file.close()
    await rename(unfinished, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(unfinished, { force: true })
    throw error
  }
}
