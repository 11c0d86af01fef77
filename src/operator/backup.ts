// `lotkeeper backup`: the embedded database as one file, while the service runs (decision 0045).
import { existsSync } from 'node:fs'
import { backUpFolder, type FolderBackup } from 'pglite-pool/backup'
import { readConfig } from '../config.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { Progress, sizeText } from '../terminal/progress.ts'
import { remarks, results } from '../terminal/terminal.ts'
import { writeWholeFile } from '../terminal/whole-file.ts'
import { version } from '../version.ts'
import { isMade } from './local-database.ts'

export async function backup(path: string): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  if (config.databaseUrl !== undefined)
    return {
      problem:
        'DATABASE_URL is set, and backup saves the embedded database only. Back up PostgreSQL with pg_dump or continuous archiving: docs/operating.md, Backup.',
    }
  if (!isMade(config)) return { problem: `There is no database in ${config.dataDir}. Set DATA_DIR to its folder.` }
  if (path !== '-' && existsSync(path)) return { problem: `${path} already exists. Name a new file.` }
  const opened = await backUpFolder(config.dataDir, `Lotkeeper ${version}`)
  if ('heldBy' in opened)
    return {
      problem: `The folder ${config.dataDir} is in use by ${opened.heldBy}, which cannot be reached. Stop it, then run the backup.`,
    }
  try {
    if (opened.heldMs !== undefined)
      await remarks.say(`The service waited ${(opened.heldMs / 1_000).toFixed(1)} s while its files were copied.`)
    return await write(opened, path)
  } finally {
    await opened.close()
  }
}

async function write({ head, contents }: FolderBackup, path: string): Promise<CommandEnd> {
  const progress = new Progress()
  let written = 0
  const counted = async function* () {
    const readBytes = (bytes: number) =>
      progress.show(bytes / Math.max(1, head.bytes), {
        done: Math.round(bytes / mebibyte),
        unit: 'MiB',
        more: ` · ${sizeText(written)}`,
      })
    for await (const chunk of contents(readBytes)) {
      written += chunk.length
      yield chunk
    }
  }
  try {
    if (path === '-') for await (const chunk of counted()) await results.write(chunk)
    // Readable by its owner only: it contains the records of all providers.
    else await writeWholeFile(path, counted(), { mode: 0o600, flush: true })
  } finally {
    progress.clear()
  }
  await remarks.say(
    `${path === '-' ? 'Wrote' : `Saved ${path}:`} ${sizeText(written)}, ${head.files.toLocaleString('en')} files of ${sizeText(head.bytes)}, as of ${head.madeAt}.`,
  )
  return undefined
}

const mebibyte = 1024 ** 2
