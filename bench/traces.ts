// npm run bench:traces: how long others wait while one trace, or one export of as many events, is
// made: the longest block of the event loop.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { machineLine } from './machine.ts'
import { eventsPath } from './service-under-load.ts'
import { median } from './statistics.ts'
import { judged, markdownTable, milliseconds } from './table.ts'

const events = 2_000
const eventsPerCreate = 10
const lineCount = 5
const rounds = 5
/** Requests before anything is measured: V8 compiles what is called often. */
const warmUps = 3

const hook = new URL('./loop-hook.mjs', import.meta.url).href

/** How a lot spreads: from whom to whom the event with this number is, in the order of time. */
const shapes = {
  'one packer, 4 wholesalers, 20 centers, 400 stores': (number: number) => {
    if (number < 4) return ['packer', `wholesaler ${number}`]
    if (number < 24) return [`wholesaler ${number % 4}`, `center ${number - 4}`]
    return [`center ${number % 20}`, `store ${number % 400}`]
  },
  '2,000 different ways between 500 places': (number: number) => [
    `place ${number % 500}`,
    `place ${((number % 500) + 1 + Math.floor(number / 500) * 7 + (number % 11)) % 500}`,
  ],
} as const satisfies Record<string, (number: number) => readonly [string, string] | readonly string[]>

/** What is asked for, by the lot code and the vendor of a shape. */
const asked = {
  'trace, JSON': (lot: string) => `/traceability/lots/${lot}`,
  'trace, SVG': (lot: string) => `/traceability/lots/${lot}?format=svg`,
  'trace, CSV': (lot: string) => `/traceability/lots/${lot}?format=csv`,
  'FDA spreadsheet, XLSX': (lot: string) => `/traceability/fda-spreadsheet?lotCode=${lot}`,
  'FDA spreadsheet, XLSX with gaps': (lot: string) => `/traceability/fda-spreadsheet?lotCode=${lot}&gaps=true`,
  'FDA package with gaps': (lot: string) => `/traceability/fda-package?lotCode=${lot}&gaps=true`,
} as const

const products = [
  { itemCode: 'ROM-24', itemDescription: 'Romaine hearts 24 ct', gtin: '10614141000415', ftlCategory: 'leafy greens' },
  { itemCode: 'CIL-30', itemDescription: 'Cilantro bunched 30 ct', gtin: '10614141000521', ftlCategory: 'herbs' },
].map((product) => ({ ...product, isFtlItem: true, packStyle: 'carton', packSize: '24 x 10 oz' }))

const placeOf = (name: string) => ({
  locationCode: name.replace(' ', '-').toUpperCase(),
  locationName: `Valley Grocers, ${name}`,
  phoneNumber: '+1.614.555.0170',
  address: {
    streetAddress1: `${name} Freight Avenue`,
    city: 'Columbus',
    state: 'OH',
    postalCode: '43217',
    country: 'USA',
  },
})

const lineOf = (lot: string, number: number, index: number) => ({
  vendorItemCode: products[index % 2]?.itemCode,
  caseGtin: products[index % 2]?.gtin,
  caseLotNumber: index === 0 ? lot : `L${number}-${index}`,
  shipQuantity: 24 + (number % 50),
  shipQuantityUom: 'case',
  packagingDate: '2025-12-30',
  countryOfOrigin: 'USA',
  tlcSourceName: 'Green Valley Cooler',
  tlcSourceReferenceFfrn: '14532865782',
})

/** Events with one line of the lot each, all of one vendor. */
function payload(lot: string, vendor: string, ways: readonly (readonly string[])[], from: number) {
  const names = new Set(ways.flat())
  return {
    productMasterDataList: products,
    locationMasterList: [...names].map(placeOf),
    eventList: ways.map(([shipFrom = '', shipTo = ''], i) => ({
      dataProviderVendorId: vendor,
      dataProviderVendorName: 'Green Valley Farms',
      purchaseOrderNumber: `PO-${from + i}`,
      asnNumber: `ASN-${from + i}`,
      eventDateTime: new Date(Date.UTC(2026, 0, 1) + (from + i) * 600_000).toISOString().replace('.000Z', 'Z'),
      shipFromLocationCode: placeOf(shipFrom).locationCode,
      shipToLocationCode: placeOf(shipTo).locationCode,
      productList: Array.from({ length: lineCount }, (_, index) => lineOf(lot, from + i, index)),
    })),
  }
}

interface Block {
  readonly clockMs: number
  /** Without the time in which other processes had the processor. */
  readonly processorMs: number
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-bench-'))
  const postgresql = await startPostgresqlServer()
  try {
    const file = join(folder, 'delay')
    const server = await startServerProcess(
      { DATABASE_URL: postgresql.url, WORKERS: '1', LOOP_DELAY_FILE: file },
      { nodeOptions: ['--import', hook] },
    )
    try {
      const rows = await measureAll(server.address, server.firstKey ?? '', values.only, () =>
        longestBlock(server.pid, file),
      )
      console.log(
        [
          `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}; one worker.`,
          `${events} events of ${lineCount} product lines, one of them of the lot; longest block of the event loop, median of ${rounds} rounds after ${warmUps} without measuring.`,
          '',
          markdownTable(
            ['what is made', 'lot', 'seconds', 'longest block', 'highest', 'on the processor', 'bar', 'aim', 'verdict'],
            rows,
          ),
        ].join('\n'),
      )
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    await postgresql.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Measures what has `only` in its name. */
async function measureAll(
  address: string,
  key: string,
  only: string,
  blocked: () => Promise<Block>,
): Promise<string[][]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const read = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(address + path, { headers, ...init })
    const answer = await response.arrayBuffer()
    if (!response.ok)
      throw new Error(`${path} was answered ${response.status}: ${Buffer.from(answer).toString().slice(0, 500)}`)
  }
  const rows: string[][] = []
  for (const [i, [shape, wayOf]] of Object.entries(shapes).entries()) {
    const lot = `LOT${i}`
    for (let from = 0; from < events; from += eventsPerCreate) {
      const ways = Array.from({ length: eventsPerCreate }, (_, n) => wayOf(from + n))
      await read(eventsPath, { method: 'POST', body: JSON.stringify(payload(lot, `V-${i}`, ways, from)) })
    }
    for (const [name, pathOf] of Object.entries(asked).filter(([name]) => name.includes(only))) {
      const times: ({ seconds: number } & Block)[] = []
      for (let round = 0; round < warmUps + rounds; round++) {
        await blocked()
        const beganAt = performance.now()
        await read(pathOf(lot))
        const seconds = (performance.now() - beganAt) / 1000
        const block = await blocked()
        if (round >= warmUps) times.push({ seconds, ...block })
      }
      const [clock, processor] = [times.map(({ clockMs }) => clockMs), times.map(({ processorMs }) => processorMs)]
      const goal = { better: 'less', bar: 50, aim: 20, unit: ' ms' } as const
      const { bar = '', aim = '', verdict = '' } = judged(median(clock), goal)
      rows.push([
        name,
        shape,
        median(times.map(({ seconds }) => seconds)).toFixed(2),
        milliseconds(median(clock)),
        milliseconds(Math.max(...clock)),
        milliseconds(median(processor)),
        bar,
        aim,
        verdict,
      ])
    }
  }
  return rows
}

/** The longest block of the event loop of that process since this was asked before. */
async function longestBlock(pid: number, file: string): Promise<Block> {
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text)
    await pause(5)
  }
}

bench().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
