// `lotkeeper restore`: a backup into an empty folder, or only the check whether the file is
// complete.
import { createReadStream, statSync } from 'node:fs'
import { checkBackup, NotABackup, restoreFolder } from 'pglite-pool/restore'
import { readConfig } from '../config.ts'
import { folderOptions, openDatabase } from '../store/database/database.ts'
import { faultText, migrate } from '../store/database/migrate.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { Progress, sizeText } from '../terminal/progress.ts'
import { remarks, results } from '../terminal/terminal.ts'

export async function restore(path: string, { check }: { readonly check?: boolean }): Promise<CommandEnd> {
  const progress = new Progress()
  const showProgress = (read: number, all: number) =>
    progress.show(read / all, { done: Math.round(read / mebibyte), of: Math.round(all / mebibyte), unit: 'MiB' })
  try {
    const bytes = path === '-' ? process.stdin : bytesOf(path, showProgress)
    if (!check) return await load(bytes, () => progress.clear())
    const head = await checkBackup(bytes)
    progress.clear()
    await results.write(`${path} is complete: ${contentsOf(head)}\n`)
    return undefined
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

const mebibyte = 1024 ** 2

async function load(bytes: AsyncIterable<Buffer>, hideProgress: () => void): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== undefined)
    return {
      problem:
        'DATABASE_URL is set, and restore loads a backup of the embedded database into DATA_DIR only. Restore PostgreSQL with pg_restore; move between the two with archives: docs/operating.md, Backup.',
    }
  let migrated: readonly string[] = []
  const restored = await restoreFolder(dataDir, bytes, {
    ...folderOptions,
    onHead: (head) => remarks.say(`Restoring ${contentsOf(head)}`),
    accept: async (staged) => {
      hideProgress()
      const schema = await bringUpToDate(staged)
      if ('problem' in schema) return schema.problem
      migrated = schema.applied
      return undefined
    },
  })
  if ('heldBy' in restored)
    return {
      problem: `The folder ${dataDir} is in use by ${restored.heldBy}. Restore into a new folder: set DATA_DIR.`,
    }
  if ('problem' in restored) return restored
  await results.write(`Restored the database in ${dataDir}.\n`)
  if (migrated.length > 0) await results.write(`Then brought the schema up to date: ${migrated.join(', ')}.\n`)
  await remarks.say('Keys revoked after the backup are valid again: lotkeeper keys list')
  return undefined
}

/** Opens the restored database, which proves that it opens, and migrates it. */
async function bringUpToDate(
  dataDir: string,
): Promise<{ readonly applied: readonly string[] } | { readonly problem: string }> {
  const opened = await openDatabase({ databaseUrl: undefined, dataDir })
  if ('heldBy' in opened) throw new Error(`The folder ${dataDir} is in use by ${opened.heldBy}.`)
  try {
    const migrated = await migrate(opened.pool)
    if (migrated.is === 'current') return migrated
    return { problem: faultText('backup', migrated) }
  } finally {
    await opened.close()
  }
}

const contentsOf = ({ madeAt, madeBy, files, bytes }: Awaited<ReturnType<typeof checkBackup>>): string =>
  `${files.toLocaleString('en')} files of ${sizeText(bytes)}, as of ${madeAt}, made by ${madeBy}.`

async function* bytesOf(path: string, onProgress: (read: number, all: number) => void): AsyncGenerator<Buffer> {
  const all = statSync(path).size
  let read = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    read += chunk.length
    onProgress(read, all)
    yield chunk
  }
}
