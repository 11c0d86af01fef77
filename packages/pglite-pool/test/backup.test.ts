// Backups: what is restored is what was there at one moment, or nothing is.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backUpFolder } from '../src/backup.ts'
import { openEmbeddedDatabase } from '../src/embedded-database.ts'
import { checkBackup, NotABackup, restoreFolder } from '../src/restore.ts'
import { contentsOf } from './folder-contents.ts'

let folder: string
let dataDir: string
let target: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lot-'))
  dataDir = join(folder, 'data')
  target = join(folder, 'target')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Files that look like a database from outside; nothing opens it. */
function fillDataDir(): void {
  mkdirSync(join(dataDir, 'database', 'base', 'empty'), { recursive: true })
  writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '18\n')
  writeFileSync(join(dataDir, 'database', 'base', 'nothing'), '')
  writeFileSync(
    join(dataDir, 'database', 'base', '1249_fsm'),
    Buffer.from(Array.from({ length: 3_000 }, (_, n) => n % 251)),
  )
}

async function backUp(): Promise<Buffer> {
  const backup = await backUpFolder(dataDir, 'the tests 1.0')
  if ('heldBy' in backup) throw new Error(backup.heldBy)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of backup.contents()) chunks.push(chunk)
    return Buffer.concat(chunks)
  } finally {
    await backup.close()
  }
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}

const restored = (bytes: Uint8Array, options?: Parameters<typeof restoreFolder>[2]) =>
  restoreFolder(target, streamOf(bytes), options)

describe('a backup of a database that no server has open', () => {
  beforeEach(fillDataDir)

  test('restores every file and folder, and says when and by what it was made', async () => {
    const head = await restored(await backUp())
    expect(head).toEqual({
      format: 1,
      madeBy: 'the tests 1.0',
      madeAt: expect.stringMatching(/^\d{4}-.*Z$/),
      postgres: '18',
      files: 3,
      bytes: 3_003,
    })
    expect(contentsOf(target)).toEqual(contentsOf(dataDir))
    expect(Object.keys(contentsOf(target))).toHaveLength(6)
  })

  test.skipIf(process.platform === 'win32')('is restored for the owner alone', async () => {
    await restored(await backUp())
    for (const path of readdirSync(target, { recursive: true, encoding: 'utf8' }))
      expect(statSync(join(target, path)).mode & 0o077).toBe(0)
  })

  test('leaves the folder as it was', async () => {
    const before = contentsOf(dataDir)
    await backUp()
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('with any byte altered, left out or added is refused, or is the same backup still', async () => {
    const good = await backUp()
    const head = await checkBackup(streamOf(good))
    for (let at = 0; at < good.length; at++) {
      const altered = Buffer.from(good)
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8))
      const without = Buffer.concat([good.subarray(0, at), good.subarray(at + 1)])
      const added = Buffer.concat([good.subarray(0, at), Buffer.of(at % 256), good.subarray(at)])
      for (const bytes of [altered, without, added]) {
        const end = await checkBackup(streamOf(bytes)).catch((error: unknown) => error)
        if (!(end instanceof NotABackup)) expect(end, `byte ${at}`).toEqual(head)
      }
    }
  })

  test('that was cut off anywhere, also before it was compressed, restores nothing', async () => {
    const good = await backUp()
    const tar = gunzipSync(good)
    // Behind the hashes are only zeros; what is cut off of these is no loss.
    const end = tar.lastIndexOf('base/nothing\n') + 'base/nothing\n'.length
    const cuts = [
      ...[0, 1, 20, good.length >> 1, good.length - 1].map((length) => good.subarray(0, length)),
      ...[0, 100, 512, 1_024, 2_560, end >> 1, end - 1].map((length) => gzipSync(tar.subarray(0, length))),
    ]
    for (const cut of cuts) {
      await expect(restored(cut)).rejects.toThrow(NotABackup)
      expect(readdirSync(target)).toEqual([])
    }
  })

  test('with a file altered, also when compressed anew, restores nothing', async () => {
    const tar = gunzipSync(await backUp())
    tar[tar.indexOf('18\n')] = 0x39
    await expect(restored(gzipSync(tar))).rejects.toThrow('It was altered: its checksums do not match.')
    expect(readdirSync(target)).toEqual([])
  })

  test('is not restored into a folder with a database or with other files, which is left as it was', async () => {
    const bytes = await backUp()
    mkdirSync(join(target, 'database'), { recursive: true })
    writeFileSync(join(target, 'database', 'PG_VERSION'), '18\n')
    const before = contentsOf(target)
    expect(await restored(bytes)).toEqual({ problem: expect.stringContaining('already holds a database') })
    expect(contentsOf(target)).toEqual(before)
    rmSync(target, { recursive: true })
    mkdirSync(target)
    writeFileSync(join(target, 'thesis.txt'), 'final')
    await expect(restored(bytes)).rejects.toThrow('holds other files (thesis.txt)')
    expect(readdirSync(target)).toEqual(['thesis.txt'])
  })

  test('is restored beside files that the program keeps there, and over what a killed restore left', async () => {
    const bytes = await backUp()
    mkdirSync(join(target, 'database.copy', 'database', 'half'), { recursive: true })
    writeFileSync(join(target, 'key.pem'), '')
    await restored(bytes, { otherFiles: ['key.pem'] })
    expect(readdirSync(target).sort()).toEqual(['database', 'key.pem'])
    expect(contentsOf(join(target, 'database'))).toEqual(contentsOf(join(dataDir, 'database')))
  })

  test('takes its place only once it is accepted, and what was changed until then is kept', async () => {
    const bytes = await backUp()
    expect(await restored(bytes, { accept: async () => 'No.' })).toEqual({ problem: 'No.' })
    expect(readdirSync(target)).toEqual([])
    const accept = async (staged: string) => {
      expect(readdirSync(target)).not.toContain('database')
      writeFileSync(join(staged, 'database', 'added'), '')
      return undefined
    }
    await restored(bytes, { accept })
    expect(readdirSync(join(target, 'database'))).toContain('added')
  })

  test('of another version of PostgreSQL restores nothing', async () => {
    const tar = gunzipSync(await backUp())
    tar.write('9', tar.indexOf('"postgres": "18"') + '"postgres": "1'.length)
    expect(await restored(gzipSync(tar))).toEqual({ problem: expect.stringContaining('PostgreSQL 19') })
    expect(readdirSync(target)).toEqual([])
  })
})

describe('a file that is no backup', () => {
  const head = { format: 1, madeBy: '', madeAt: '', postgres: '18', files: 0, bytes: 0 }
  const fileOf = (name: string, body: string): TarEntry => ({ header: { name, size: Buffer.byteLength(body) }, body })
  const tarOf = async (...entries: TarEntry[]) =>
    gzipSync(await packTar([fileOf('backup.json', JSON.stringify(head)), ...entries]))

  test.each([
    ['an entry above the folder', fileOf('database/../../stolen', 'x')],
    ['an entry beside the folder', fileOf('stolen', 'x')],
    ['an absolute entry', fileOf('/database/stolen', 'x')],
    ['a link', { header: { name: 'database/link', size: 0, type: 'symlink', linkname: '/etc/passwd' } } as const],
  ])('with %s writes nothing outside, and restores nothing', async (_name, entry) => {
    await expect(restored(await tarOf(entry, fileOf('SHA256SUMS', '')))).rejects.toThrow(NotABackup)
    expect(readdirSync(folder)).toEqual(['target'])
    expect(readdirSync(target)).toEqual([])
  })

  test.each([
    ['is not compressed', Buffer.from('PK')],
    ['is no tar file', gzipSync('text '.repeat(500))],
    ['is empty', Buffer.alloc(0)],
  ])('because it %s is refused', async (_name, bytes) => {
    await expect(restored(bytes)).rejects.toThrow(NotABackup)
  })

  test('of a later form is refused with its form', async () => {
    const later = gzipSync(await packTar([fileOf('backup.json', JSON.stringify({ ...head, format: 2 }))]))
    await expect(restored(later)).rejects.toThrow('form 2; this program reads form 1')
  })
})

test('a backup beside a server that writes has all that was answered before it, and nothing twice or missing', async () => {
  const opened = await openEmbeddedDatabase(dataDir)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  const pool = new pg.Pool(opened.poolConfig)
  let written = 0
  let stopped = false
  let bytes: Buffer
  try {
    await pool.query('CREATE TABLE written (n integer PRIMARY KEY, filler text)')
    const writing = (async () => {
      while (!stopped) {
        await pool.query("INSERT INTO written VALUES ($1, repeat('x', 1000))", [written + 1])
        written++
      }
    })()
    await expect.poll(() => written).toBeGreaterThan(20)
    const before = written
    bytes = await backUp()
    stopped = true
    await writing
    expect(readdirSync(dataDir)).not.toContain('database.copy')
    await restored(bytes)
    const copy = await openEmbeddedDatabase(target)
    if ('heldBy' in copy) throw new Error(copy.heldBy)
    const copyPool = new pg.Pool(copy.poolConfig)
    const { rows } = await copyPool.query<{ most: number; all: number }>(
      'SELECT max(n) AS most, count(*)::int AS all FROM written',
    )
    await copyPool.end()
    await copy.close()
    expect(rows[0]?.all).toBe(rows[0]?.most)
    expect(rows[0]?.most).toBeGreaterThanOrEqual(before)
    expect(rows[0]?.most).toBeLessThanOrEqual(written)
  } finally {
    stopped = true
    await pool.end()
    await opened.close()
  }
})
