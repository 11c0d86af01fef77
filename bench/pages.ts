// npm run bench:pages: what lists of the largest records hold in memory, for one reader and for
// many at once, on both databases.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { machineLine } from './machine.ts'
import { watchMemory } from './processes.ts'
import { Progress } from './progress.ts'
import { eventsPath } from './service-under-load.ts'
import { markdownTable } from './table.ts'

/**
 * Four events share a list of products of 9 MB, which is stored with each of them: 72 records, 650
 * MB.
 */
const [creates, eventsPerCreate, products] = [18, 4, 4_990]
const readersAtOnce = 16
const secondsInAll = 150

const queries = { 'limit=200': 'limit=200', 'default limit': '', 'limit=1': 'limit=1' } as const

interface Walk {
  readonly records: number
  readonly pages: number
  readonly largestPage: number
  readonly seconds: number
}

async function bench(): Promise<void> {
  const progress = new Progress(secondsInAll)
  const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-pages-'))
  const postgresql = await startPostgresqlServer()
  try {
    const rows: string[][] = []
    for (const [database, env] of [
      ['embedded', { DATA_DIR: join(folder, 'data') }],
      ['PostgreSQL', { DATABASE_URL: postgresql.url }],
    ] as const)
      rows.push(...(await measureOn(database, env, progress)))
    progress.end()
    console.log(
      [
        `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}; one worker.`,
        `${creates * eventsPerCreate} receiving events of 9 MB each. Memory is what the process takes more than right after its start.`,
        '',
        markdownTable(['database', 'asked', 'records', 'pages', 'largest page', 'seconds', 'more memory'], rows),
      ].join('\n'),
    )
  } finally {
    await postgresql.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureOn(database: string, env: Record<string, string>, progress: Progress): Promise<string[][]> {
  progress.step(`${database}: creating ${creates * eventsPerCreate} records`, 30)
  const seeding = await startServerProcess(env)
  const key = seeding.firstKey ?? ''
  for (let n = 0; n < creates; n++) await create(seeding.address, key, n)
  await seeding.end('SIGTERM')

  const rows: string[][] = []
  for (const [name, query] of Object.entries(queries)) {
    progress.step(`${database}: all pages with ${name}`, 10)
    const { walks, moreMb } = await readBy(env, key, query, 1)
    rows.push([database, name, ...wordsOf(walks[0]), `${moreMb.toFixed(0)} MB`])
  }
  progress.step(`${database}: ${readersAtOnce} readers at once`, 15)
  const { walks, moreMb } = await readBy(env, key, 'limit=200', readersAtOnce)
  rows.push([
    database,
    `limit=200, first page, ${readersAtOnce} at once`,
    ...wordsOf({
      records: walks.reduce((sum, { records }) => sum + records, 0),
      pages: walks.length,
      largestPage: Math.max(...walks.map(({ largestPage }) => largestPage)),
      seconds: Math.max(...walks.map(({ seconds }) => seconds)),
    }),
    `${moreMb.toFixed(0)} MB`,
  ])
  return rows
}

/**
 * A server of its own, so that nothing is in memory yet; a walk of one page, so that what every
 * request takes is there.
 */
async function readBy(env: Record<string, string>, key: string, query: string, readers: number) {
  const server = await startServerProcess(env)
  try {
    await walk(server.address, key, 'locationCode=none', 1, '/data-provider/locations')
    const before = watchMemory(server.pid).end()
    const memory = watchMemory(server.pid)
    const pagesMax = readers === 1 ? Number.POSITIVE_INFINITY : 1
    const walks = await Promise.all(
      Array.from({ length: readers }, () => walk(server.address, key, query, pagesMax, eventsPath)),
    )
    return { walks, moreMb: memory.end() - before }
  } finally {
    await server.end('SIGTERM')
  }
}

async function create(address: string, key: string, n: number): Promise<void> {
  const text = (name: string, i: number) => `${name} ${i} `.padEnd(100, '水')
  const body = {
    productMasterDataList: Array.from({ length: products }, (_, i) => ({
      itemCode: `I-${i}`,
      itemDescription: text('description', i),
      brandName: text('brand', i),
      packSize: text('size', i),
      packStyle: text('style', i),
      productCommodity: text('commodity', i),
      productVariety: text('variety', i),
    })),
    locationMasterList: ['A', 'B'].map((locationCode, i) => ({
      locationCode,
      locationName: locationCode,
      gln: i === 0 ? '0614141000012' : '0614141000029',
    })),
    eventList: Array.from({ length: eventsPerCreate }, (_, i) => ({
      dataProviderVendorId: 'V-1',
      purchaseOrderNumber: `PO-${n}-${i}`,
      eventDateTime: new Date(Date.UTC(2026, 2, 1) + (n * eventsPerCreate + i) * 60_000)
        .toISOString()
        .replace('.000', ''),
      shipFromLocationCode: 'A',
      shipToLocationCode: 'B',
      productList: [
        {
          vendorItemCode: 'I-0',
          shipQuantity: 1,
          shipQuantityUom: 'case',
          caseLotNumber: 'L-1',
          tlcSourceReferenceGln: '0614141000012',
        },
      ],
    })),
  }
  const response = await fetch(address + eventsPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`A create was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Reads page after page; bodies are counted and not kept. */
async function walk(address: string, key: string, query: string, pagesMax: number, path: string): Promise<Walk> {
  const beganAt = performance.now()
  let [records, pages, largestPage] = [0, 0, 0]
  for (let cursor: string | undefined = ''; cursor !== undefined && pages < pagesMax; pages++) {
    const response = await fetch(`${address}${path}?${query}${cursor && `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!response.ok) throw new Error(`A page was answered ${response.status}: ${await response.text()}`)
    const text = await response.text()
    records += text.split('"eventList"').length - 1
    largestPage = Math.max(largestPage, Buffer.byteLength(text))
    cursor = /"nextCursor":"([^"]+)"\}$/.exec(text.slice(-300))?.[1]
  }
  return { records, pages, largestPage, seconds: (performance.now() - beganAt) / 1000 }
}

const wordsOf = (
  { records, pages, largestPage, seconds }: Walk = { records: 0, pages: 0, largestPage: 0, seconds: 0 },
) => [String(records), String(pages), `${(largestPage / 1e6).toFixed(1)} MB`, seconds.toFixed(1)]

await bench()
