// `lotkeeper import` as a user runs it: against a real service, as a process that can be killed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EventKindName } from '../../src/contract/record-kinds.ts'
import { reasonHeading, reasonHeadings, shippingTable } from '../../src/intake/template.ts'
import { epcisDocumentOf } from '../samples/operation-requests.ts'
import { csvOf, eventHeadings, goodRow, rowsOf, shippingHeadings, workbookOf } from '../support/files/import-files.ts'
import { readWorkbook } from '../support/files/read-workbook.ts'
import { allowMs } from '../support/patience.ts'
import {
  eventPayload,
  locationPayload,
  type Payload,
  paths,
  productPayload,
  shippingPayload,
} from '../support/records/payloads.ts'
import { isShortRun } from '../support/runs.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { calling, type Service, startService, type TestProvider } from '../support/servers/service.ts'

let service: Service
let folder: string
let provider: TestProvider
let env: Record<string, string>
beforeAll(async () => {
  service = await startService({ rateLimitPerMinute: 1_000_000 })
})
afterAll(() => service?.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-import-'))
  provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('writer') }
  return () => rm(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const run = (...args: string[]) => runCommand(['import', ...args], env)
const ndjson = (payloads: readonly Payload[]) => payloads.map((payload) => `${JSON.stringify(payload)}\n`).join('')

async function events(kind: EventKindName = 'receivingEvent'): Promise<Payload[]> {
  const all: Payload[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await provider.call('GET', `${paths[kind]}?limit=200${cursor && `&cursor=${cursor}`}`)
    all.push(...body.content)
    cursor = body.nextCursor
  }
  return all
}

test('payloads of all kinds go in, and going in twice makes nothing twice', async () => {
  const payloads = [locationPayload(), productPayload(), eventPayload(), eventPayload()]
  await writeFile(at('all.ndjson'), ndjson(payloads))
  const first = await run(at('all.ndjson'))
  expect(first.stdout).toContain('4 created')
  expect(first.code).toBe(0)
  expect((await events()).map(({ id: _, ...payload }) => payload)).toEqual(expect.arrayContaining(payloads.slice(2)))
  const second = await run(at('all.ndjson'))
  expect(second.stdout).toContain('4 stored before')
  expect(second.code).toBe(0)
  expect(await events()).toHaveLength(2)
  expect(await readdir(folder)).toEqual(['all.ndjson'])
})

test('a workbook with its locations and products goes in, those first', async () => {
  const bare = { 'shipFrom.locationName': '', 'shipFrom.gln': '', 'shipTo.locationName': '', 'shipTo.gln': '' }
  const locationHeadings = ['dataProviderVendorId', 'locationCode', 'locationName', 'gln']
  await writeFile(
    at('all.xlsx'),
    await workbookOf([
      { name: 'Receiving events', rows: [eventHeadings, goodRow({ ...bare, 'product.itemDescription': '' })] },
      {
        name: 'Locations',
        rows: [
          locationHeadings,
          ['V-1', 'SHIP-FROM', 'Harbor Greenhouse', '0614141000012'],
          ['V-1', 'SHIP-TO', 'River Warehouse', '0614141999996'],
        ],
      },
      {
        name: 'Products',
        rows: [
          ['dataProviderVendorId', 'itemCode', 'itemDescription'],
          ['V-1', 'TOM-1', 'Vine tomatoes'],
        ],
      },
    ]),
  )
  const { code, stdout } = await run(at('all.xlsx'))
  expect(stdout).toContain('4 created')
  expect(code).toBe(0)
  const [event] = await events()
  expect(event.locationMasterList[1]).toEqual({
    locationCode: 'SHIP-TO',
    locationName: 'River Warehouse',
    gln: '0614141999996',
  })
  expect(event.productMasterDataList).toEqual([{ itemCode: 'TOM-1', itemDescription: 'Vine tomatoes' }])
})

describe('rejected rows', () => {
  test.each(['csv', 'xlsx'] as const)(
    'are written beside the file with their reasons, corrected and imported: %s',
    async (form) => {
      const second = { eventDateTime: '2026-03-05T09:30:00-06:00' }
      const rows = [
        eventHeadings,
        goodRow(),
        goodRow({ ...second, caseGtin: '61414100045' }),
        goodRow({ ...second, vendorItemCode: 'TOM-2' }),
      ]
      await writeFile(at(`in.${form}`), form === 'csv' ? csvOf(rows) : await workbookOf([{ name: 'Events', rows }]))
      const first = await run(at(`in.${form}`))
      expect(first.code).toBe(1)
      expect(first.stdout).toContain('1 created, 1 rejected')
      expect(first.stdout).toMatch(/row 3, column [A-Z]+ caseGtin: 61414100045 .* would be 00061414100045/)
      expect(await events()).toHaveLength(1)
      if (form === 'csv') {
        const written = (await readFile(at('in.rejected.csv'), 'utf8')).split('\r\n')
        expect(written).toHaveLength(4)
        expect(written[0]).toMatch(/,Lotkeeper: why not imported$/)
        expect(written[1]).toContain('00061414100045')
        expect(written[2]).toMatch(/An event is imported whole\.$/)
      }
      const corrected = await run(at(`in.rejected.${form}`), '--restore-zeros')
      expect(corrected.stdout).toContain('1 created')
      expect(corrected.code).toBe(0)
      const [event] = await events()
      expect(event.eventList.productList).toMatchObject([{ caseGtin: '00061414100045' }, { vendorItemCode: 'TOM-2' }])
    },
  )

  test('of NDJSON are lines that can be corrected and imported, the reason left out again', async () => {
    const wrong = eventPayload(({ eventList }) => {
      delete eventList.purchaseOrderNumber
    })
    await writeFile(at('in.ndjson'), `${ndjson([wrong, eventPayload()])}{broken\n`)
    const first = await run(at('in.ndjson'))
    expect(first.stdout).toContain('1 created, 2 rejected')
    expect(first.stdout).toContain('line 3: This is not valid JSON')
    const [line = '', why = '', broken] = (await readFile(at('in.rejected.ndjson'), 'utf8')).split('\n')
    expect(line).toContain('purchaseOrderNumber is required')
    expect(JSON.parse(why)).toEqual({ [reasonHeading]: expect.stringContaining('not valid JSON') })
    expect(broken).toBe('{broken')
    await writeFile(
      at('in.rejected.ndjson'),
      line.replace('"eventList":{', '"eventList":{"purchaseOrderNumber":"PO-7",'),
    )
    expect((await run(at('in.rejected.ndjson'))).code).toBe(0)
    expect((await events())[0]).toEqual({
      id: expect.any(String),
      ...wrong,
      eventList: { ...wrong.eventList, purchaseOrderNumber: 'PO-7' },
    })
  })
})

test('an existing event with different content is reported with its changes, and replaced on request', async () => {
  const before = eventPayload()
  const id = (await provider.call('POST', paths.receivingEvent, { body: before })).body.request_ids[0]
  const after = structuredClone(before)
  after.eventList.productList[0].shipQuantity += 5
  delete after.eventList.carrierShipmentMethod
  await writeFile(at('in.ndjson'), ndjson([after]))
  const told = await run(at('in.ndjson'))
  expect(told.code).toBe(1)
  expect(told.stdout).toContain(`record ${id}, version 1`)
  expect(told.stdout).toContain(
    'removes /eventList/carrierShipmentMethod; changes /eventList/productList/0/shipQuantity',
  )
  expect((await events())[0]).toEqual({ id, ...before })
  const replaced = await run(at('in.ndjson'), '--replace')
  expect(replaced.stdout).toContain('1 replaced')
  expect(replaced.code).toBe(0)
  expect(await events()).toEqual([{ id, ...after }])
})

describe('a broken date in the middle of an event', () => {
  const lots = async () =>
    (await events()).map(({ eventList }) => eventList.productList.map(({ caseLotNumber }: Payload) => caseLotNumber))
  const rows = (dates: Readonly<Record<number, string>> = {}) => [
    eventHeadings,
    ...[1, 2, 3, 4, 5, 6].map((n) =>
      goodRow({ caseLotNumber: `L${n}`, ...(dates[n] !== undefined && { eventDateTime: dates[n] }) }),
    ),
  ]

  test.each([[[]], [['--replace']]])(
    'stores nothing of it, and all of it once it is corrected: %j',
    async (options) => {
      await writeFile(at('in.csv'), csvOf(rows({ 4: '2026-03-40T09:30:00-06:00' })))
      const first = await run(at('in.csv'))
      expect(first.code).toBe(1)
      expect(await lots()).toEqual([])
      const rejected = await readFile(at('in.rejected.csv'), 'utf8')
      await writeFile(at('in.rejected.csv'), rejected.replace('2026-03-40', '2026-03-04'))
      const second = await run(at('in.rejected.csv'), ...options)
      expect(second.code, second.stdout).toBe(0)
      expect(await lots()).toEqual([['L1', 'L2', 'L3', 'L4', 'L5', 'L6']])
    },
  )

  test('is never repaired by a replacement that removes lines, unless that is allowed by name', async () => {
    await writeFile(at('whole.csv'), csvOf(rows()))
    expect((await run(at('whole.csv'))).code).toBe(0)
    await writeFile(at('part.csv'), csvOf([eventHeadings, ...rows().slice(3)]))
    const refused = await run(at('part.csv'), '--replace')
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain(
      'removes 2 product lines: item TOM-1 lot L1 (40 case), item TOM-1 lot L2 (40 case). Add the lines to the file, or allow their removal with --replace --yes.',
    )
    expect(await lots()).toEqual([['L1', 'L2', 'L3', 'L4', 'L5', 'L6']])
    const dry = await run(at('part.csv'), '--replace', '--yes', '--dry-run', 'service')
    expect(dry.stdout).toContain('1 would be stored')
    const allowed = await run(at('part.csv'), '--replace', '--yes')
    expect(allowed.stdout).toContain('1 replaced')
    expect(await lots()).toEqual([['L3', 'L4', 'L5', 'L6']])
  })
})

test('lines are validated by the settings of the service, unless the command says otherwise', async () => {
  const later = await startService({ lotNumberRequiredFrom: '2028-07-20' })
  const other = await later.provider()
  const withKey = { LOTKEEPER_URL: later.url, LOTKEEPER_KEY: await other.key('writer') }
  await writeFile(at('in.csv'), csvOf([eventHeadings, goodRow({ caseLotNumber: '' })]))
  const strict = await runCommand(['import', at('in.csv'), '--lot-number-required-from', '2026-01-01'], withKey)
  expect(strict.stdout).toContain('1 rejected')
  const { stdout, code } = await runCommand(['import', at('in.csv')], withKey)
  expect(stdout).toContain('1 created')
  expect(code).toBe(0)
  await later.close()
})

test('an EPCIS document is captured, and what is wrong with an event is said at its place', async () => {
  const document = epcisDocumentOf('a7b1c2d3-0000-4000-8000-000000000001')
  await writeFile(at('in.jsonld'), JSON.stringify(document))
  const refused = await run(at('in.jsonld'), '--dry-run', 'service')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('1 event: 0 would be captured, 0 captured before, 0 out of scope, 1 refused.')
  expect(refused.stderr).toContain('/epcisBody/eventList/0: dataProviderVendorId is required and is missing.')
  const administrator = calling(service.url, await provider.key('administrator'))
  const senders = [{ dataProviderVendorId: 'V-1', tlcSourceIsShipFrom: true, locationNameIsCode: true }]
  await administrator('PUT', '/capture/senders', { body: { senders } })
  Object.assign(document.epcisBody.eventList[0] as object, { 'ex:dock': '7' })
  await writeFile(at('in.jsonld'), JSON.stringify(document))
  const captured = await run(at('in.jsonld'))
  expect(captured.stdout).toContain('1 captured, 0 captured before')
  expect(captured.stderr).toContain('No record holds these fields, and they are not stored: "ex:dock".')
  expect(captured.code).toBe(0)
  await writeFile(at('again.json'), JSON.stringify(document))
  expect((await run(at('again.json'))).stdout).toContain('0 captured, 1 captured before')
  expect(await events()).toHaveLength(1)
})

test.each([
  [2, 'The same holds for 1 more event.'],
  [3, 'The same holds for 2 more events.'],
])('a remark about %i events of an EPCIS document is printed once', async (count, expected) => {
  const ids = [1, 2, 3].slice(0, count).map((at) => `a7b1c2d3-0000-4000-8000-00000000000${at}`)
  const [document, ...others] = ids.map((id) => epcisDocumentOf(id))
  if (document === undefined) throw new Error('There is no event.')
  document.epcisBody.eventList.push(...others.flatMap(({ epcisBody }) => epcisBody.eventList))
  for (const [hour, event] of document.epcisBody.eventList.entries())
    Object.assign(event as object, { 'ex:dock': '7', eventTime: `2026-03-04T0${hour + 1}:00:00Z` })
  const administrator = calling(service.url, await provider.key('administrator'))
  const senders = [{ dataProviderVendorId: 'V-1', tlcSourceIsShipFrom: true, locationNameIsCode: true }]
  await administrator('PUT', '/capture/senders', { body: { senders } })
  await writeFile(at('in.jsonld'), JSON.stringify(document))
  const { stderr } = await run(at('in.jsonld'), '--dry-run', 'service')
  expect(stderr).toContain(`they are not stored: "ex:dock". ${expected}`)
})

test('a product that is stored is replaced when asked, never stored a second time', async () => {
  const headings = ['dataProviderVendorId', 'itemCode', 'itemDescription']
  await writeFile(at('in.csv'), csvOf([headings, ['V-1', 'TOM-1', 'Tomatoes'], ['V-1', 'TOM-2', 'Vine tomatoes']]))
  const first = await run(at('in.csv'))
  expect(first.stdout).toContain('2 created; 2 products.')
  expect(first.stdout).not.toContain('lines')
  await writeFile(at('in.csv'), csvOf([headings, ['V-1', 'TOM-1', 'Tomatoes on the vine']]))
  expect((await run(at('in.csv'))).stdout).toContain('With --replace it becomes the next version.')
  expect((await run(at('in.csv'), '--replace')).stdout).toContain('1 replaced; 1 product.')
  const { content } = (await provider.call('GET', paths.masterProduct)).body
  expect(content.map(({ productMasterDataList }: Payload) => productMasterDataList.itemDescription).sort()).toEqual([
    'Tomatoes on the vine',
    'Vine tomatoes',
  ])
})

test('a file that is refused as a whole is not counted as a rejected record', async () => {
  await writeFile(at('in.csv'), 'a,b\n1,2\n')
  const { code, stdout } = await run(at('in.csv'))
  expect(code).toBe(1)
  expect(stdout).toContain('nothing was imported.')
  expect(stdout).not.toContain('rejected')
})

test('a file that cannot be read twice is rejected with the reason', async () => {
  const { code, stderr } = await run('/dev/null')
  expect(code).toBe(2)
  expect(stderr).toContain('/dev/null is not a file on disk')
})

test('rows of a workbook that were rejected come back with the locations and products they refer to', async () => {
  const bare = { 'shipFrom.locationName': '', 'shipFrom.gln': '', 'shipTo.locationName': '', 'shipTo.gln': '' }
  const event = (date: string) => goodRow({ ...bare, 'product.itemDescription': '', eventDateTime: date })
  const master = [
    {
      name: 'Places',
      rows: [
        ['dataProviderVendorId', 'locationCode', 'locationName', 'gln'],
        ['V-1', 'SHIP-FROM', 'Harbor Greenhouse', '0614141000012'],
        ['V-1', 'SHIP-TO', 'River Warehouse', '0614141999996'],
        ['V-1', 'ELSEWHERE', 'Hill Farm', '0614141000029'],
      ],
    },
    {
      name: 'Items',
      rows: [
        ['dataProviderVendorId', 'itemCode', 'itemDescription'],
        ['V-1', 'TOM-1', 'Vine tomatoes'],
      ],
    },
  ]
  const file = (date: string) => workbookOf([{ name: 'Events', rows: [eventHeadings, event(date)] }, ...master])
  await writeFile(at('in.xlsx'), await file('2026-03-04T09:30:00'))
  expect((await run(at('in.xlsx'))).stdout).toContain('4 created, 1 rejected')
  const second = await run(at('in.rejected.xlsx'), '--utc-offset', '-06:00')
  expect(second.stdout).toContain(
    '1 created, 3 stored before; 1 receiving event with 1 product line, 1 product, 2 locations.',
  )
  const [stored] = await events()
  expect(stored.locationMasterList[1]).toMatchObject({ locationName: 'River Warehouse' })
  expect(stored.productMasterDataList).toEqual([{ itemCode: 'TOM-1', itemDescription: 'Vine tomatoes' }])
})

describe.skipIf(isShortRun)('a killed import continues without duplicates or omissions', () => {
  const receiving = () => Array.from({ length: 900 }, () => eventPayload())
  const shipping = () => Array.from({ length: 900 }, () => shippingPayload())
  test.each([
    ['receivingEvent', 'in.ndjson', receiving, ndjson],
    [
      'shippingEvent',
      'in.csv',
      shipping,
      (all: readonly Payload[]) => csvOf([shippingHeadings, ...all.flatMap((one) => rowsOf(one, shippingTable))]),
    ],
  ] as const)('of %s in %s', async (kind, name, make, textOf) => {
    const payloads = make()
    await writeFile(at(name), textOf(payloads))
    const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
    const child = spawn(process.execPath, [program, 'import', at(name)], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const progress = async () =>
      existsSync(at(`${name}.import`)) && (await readFile(at(`${name}.import`), 'utf8')).includes('through')
    await expect.poll(progress, { timeout: allowMs(30_000), interval: 5 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    const there = (await events(kind)).length
    expect(there).toBeGreaterThan(0)
    expect(there).toBeLessThan(payloads.length)
    const second = await run(at(name))
    expect(second.stderr).toMatch(/\d+ were done before/)
    expect(second.code, second.stdout).toBe(0)
    const times = (await events(kind)).map(({ eventList }) => eventList.eventDateTime)
    expect(times.sort()).toEqual(payloads.map(({ eventList }) => eventList.eventDateTime).sort())
  })
})

test('a service that is busy is asked again, and everything goes in', async () => {
  let refusals = 0
  const busy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (refusals++ % 3 === 0) {
      const problem = {
        type: '/docs/problems/tooManyRequests',
        title: 'busy',
        status: 429,
        detail: 'busy',
        instance: 'urn:uuid:0',
      }
      response
        .writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '0' })
        .end(JSON.stringify(problem))
      return
    }
    const headers = Object.fromEntries(
      ['authorization', 'idempotency-key', 'content-type'].flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const answer = await fetch(service.url + request.url, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      .end(await answer.text())
  })
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  await writeFile(at('in.ndjson'), ndjson(Array.from({ length: 30 }, () => eventPayload())))
  const { code, stdout } = await run(
    at('in.ndjson'),
    '--url',
    `http://127.0.0.1:${(busy.address() as AddressInfo).port}`,
  )
  expect(stdout).toContain('30 created')
  expect(code).toBe(0)
  expect(await events()).toHaveLength(30)
  busy.close()
})

describe('a sheet that names stored places by their codes only', () => {
  const rows = (changes: Readonly<Record<string, string>> = {}) =>
    Array.from({ length: 30 }, (_, at) =>
      goodRow({
        eventDateTime: `2026-03-04T09:${10 + at}:00-06:00`,
        ...{ 'shipFrom.locationName': '', 'shipFrom.gln': '', 'shipTo.locationName': '', 'shipTo.gln': '' },
        ...changes,
      }),
    )
  beforeEach(async () => {
    for (const [locationCode, locationName, gln] of [
      ['SHIP-FROM', 'Harbor Greenhouse', '0614141000012'],
      ['SHIP-TO', 'River Warehouse', '0614141999996'],
    ])
      await provider.call('POST', paths.location, {
        body: locationPayload(({ locationMasterList }) => {
          Object.assign(locationMasterList, { dataProviderVendorId: 'V-1', locationCode, locationName, gln })
        }),
      })
    await writeFile(at('in.csv'), csvOf([eventHeadings, ...rows()]))
  })

  test('goes in, completed from them, which is said once per column', async () => {
    const { code, stdout, stderr } = await run(at('in.csv'))
    expect(code, stdout + stderr).toBe(0)
    expect(stderr).toContain('column shipToLocationCode has codes of stored locations, such as SHIP-TO')
    expect(stderr).toContain('(30 rows, the first is row 2)')
    const [event] = await events()
    expect(event.locationMasterList[1]).toMatchObject({ locationCode: 'SHIP-TO', locationName: 'River Warehouse' })
  })

  test('is rejected without it, each cause in one line', async () => {
    const { code, stdout } = await run(at('in.csv'), '--no-complete')
    expect(code).toBe(1)
    expect(stdout).toMatch(/30 rows, the first is row 2, column [A-Z]+ shipTo\.locationName: locationName is required/)
    expect(stdout.split('\n').length).toBeLessThan(12)
  })

  test('is reported to programs as counts and causes: one line of JSON', async () => {
    const { code, stdout } = await run(at('in.csv'), '--no-complete', '--json')
    expect(code).toBe(1)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      ...{ file: at('in.csv'), end: 'done', whole: true, rejectedFile: at('in.rejected.csv') },
      counts: { rejected: 30, receivingEvent: 30, created: 0 },
    })
    expect(report.causes).toContainEqual(
      expect.objectContaining({ rows: 30, firstRow: 2, column: 'shipTo.locationName', rule: 'shape/required' }),
    )
  })
})

test('warnings of rows that are imported are reported by cause, to people and to programs', async () => {
  const lots = ['4/3', '5/3', 'L7, L8', 'L9']
  const rows = lots.map((caseLotNumber) => goodRow({ caseLotNumber }))
  await writeFile(at('in.csv'), csvOf([eventHeadings, ...rows]))
  const { code, stdout } = await run(at('in.csv'), '--dry-run')
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(
    /warning: 2 rows, the first is row 2, column [A-Z]+ caseLotNumber: 4\/3 may be a date or a time/,
  )
  expect(stdout).toMatch(/warning: row 4, column [A-Z]+ caseLotNumber: .* seems to name several lots: "L7", "L8"/)
  const report = JSON.parse((await run(at('in.csv'), '--dry-run', '--json')).stdout)
  expect(report).toMatchObject({ causes: [], otherWarnings: 0 })
  expect(report.warnings).toMatchObject([
    { rows: 2, firstRow: 2, column: 'caseLotNumber' },
    { rows: 1, firstRow: 4, column: 'caseLotNumber', rule: 'product-line/one-lot' },
  ])
})

test('a dry run stores nothing; here it needs no key, and by the service it knows what is there', async () => {
  const payload = eventPayload()
  await writeFile(at('in.ndjson'), ndjson([payload]))
  const here = await runCommand(['import', at('in.ndjson'), '--dry-run'], {})
  expect(here.stdout).toContain('1 would be stored')
  expect(here.stderr).toContain('With a key, the service also says what is stored already.')
  expect(here.code).toBe(0)
  expect((await run(at('in.ndjson'), '--dry-run', 'service')).stdout).toContain('1 would be stored')
  expect(await events()).toEqual([])
  await provider.call('POST', paths.receivingEvent, { body: payload })
  payload.eventList.purchaseOrderNumber = 'PO-other'
  await writeFile(at('in.ndjson'), ndjson([payload]))
  const known = await run(at('in.ndjson'), '--dry-run', 'service')
  expect(known.stdout).toContain('/eventList/purchaseOrderNumber')
  expect(known.code).toBe(1)
  const replacing = await run(at('in.ndjson'), '--dry-run', '--replace')
  expect(replacing.stdout).toContain('1 would be stored (1 as the next version of a stored record)')
  await writeFile(
    at('in.ndjson'),
    ndjson([{ ...payload, eventList: { ...payload.eventList, purchaseOrderNumber: 'PO-88120' } }]),
  )
  expect((await run(at('in.ndjson'), '--dry-run')).stdout).toContain('1 stored before')
  expect(await events()).toHaveLength(1)
})

test('a dry run counts a location that the file sets up before the event that names it', async () => {
  const place = locationPayload()
  const { dataProviderVendorId, locationCode } = place.locationMasterList
  const event = eventPayload(({ eventList, locationMasterList }) => {
    eventList.dataProviderVendorId = dataProviderVendorId
    eventList.shipToLocationCode = locationCode
    locationMasterList[1] = { locationCode, locationName: 'River Warehouse' }
  })
  await writeFile(at('alone.ndjson'), ndjson([event]))
  expect((await run(at('alone.ndjson'), '--dry-run')).stdout).toContain('is not set up in the master data')
  await writeFile(at('both.ndjson'), ndjson([place, event]))
  const both = await run(at('both.ndjson'), '--dry-run')
  expect(both.stdout).toContain('2 would be stored')
  expect(both.code).toBe(0)
  expect((await run(at('both.ndjson'))).stdout).toContain('2 created')
})

test('headings of others are mapped by a file that is suggested, and used when it is there', async () => {
  const others: Readonly<Record<string, string>> = {
    caseLotNumber: 'Lot',
    shipQuantity: 'Quantity',
    vendorItemCode: 'Item Nr',
  }
  await writeFile(at('in.csv'), csvOf([eventHeadings.map((name) => others[name] ?? name), goodRow()]))
  const first = await run(at('in.csv'), '--mapping', at('mapping.json'))
  expect(first.code).toBe(1)
  const mapping = JSON.parse(await readFile(at('mapping.json'), 'utf8'))
  expect(mapping.columns).toMatchObject({ Lot: 'caseLotNumber', Quantity: 'shipQuantity' })
  mapping.columns['Item Nr'] = 'vendorItemCode'
  await writeFile(at('mapping.json'), JSON.stringify(mapping))
  const second = await run(at('in.csv'), '--mapping', at('mapping.json'))
  expect(second.code, second.stderr).toBe(0)
  expect(await events()).toHaveLength(1)
})

test('a mapping that lacks a column is named with it, and --set gives all rows one value', async () => {
  await writeFile(at('mapping.json'), JSON.stringify({ columns: { 'Item Nr': null, Lot: 'caseLotNumber' } }))
  const theirs: Readonly<Record<string, string>> = { vendorItemCode: 'Item Nr', caseLotNumber: 'Lot' }
  const others = ['caseGtin', 'vendorItemDescription']
  const headings = eventHeadings.filter((name) => !name.startsWith('product.') && !others.includes(name))
  const row = headings.map((name) => goodRow()[eventHeadings.indexOf(name)] ?? '')
  await writeFile(at('in.csv'), csvOf([headings.map((name) => theirs[name] ?? name), row]))
  const first = await run(at('in.csv'), '--mapping', at('mapping.json'))
  expect(first.code).toBe(1)
  expect(first.stderr).toContain(`the mapping ${at('mapping.json')} maps no heading to vendorItemCode.`)
  expect(first.stderr).toContain('--set vendorItemCode=')
  const second = await run(at('in.csv'), '--mapping', at('mapping.json'), '--set', 'vendorItemCode=ROM')
  expect(second.code, second.stderr + second.stdout).toBe(0)
  expect((await events())[0]?.eventList.productList[0].vendorItemCode).toBe('ROM')
})

test.each([
  [['nowhere.csv'], 'There is no file nowhere.csv'],
  [['FILE', '--set', 'lot=1'], 'names lot, which is not a column'],
  [['FILE', '--set', 'nothing'], 'column=value'],
  [['FILE', '--utc-offset', 'EST'], 'whole hours'],
  [['FILE', '--dates', 'ymd'], 'Allowed choices are mdy, dmy'],
  [['FILE', '--key', ''], 'no key'],
  [[], "missing required argument 'files'"],
])('%j is called wrongly: exit code 2 and one line', async (args, says) => {
  await writeFile(at('in.csv'), csvOf([eventHeadings, goodRow()]))
  const end = await run(...args.map((one) => (one === 'FILE' ? at('in.csv') : one)))
  expect(end.code).toBe(2)
  expect(end.stderr).toContain(says)
  expect(end.stderr.trim().split('\n')).toHaveLength(1)
  expect(await readdir(folder)).toEqual(['in.csv'])
})

test('a key that is not valid breaks the import off with one line, and nothing is rejected for it', async () => {
  await writeFile(at('in.ndjson'), ndjson([eventPayload()]))
  const end = await run(at('in.ndjson'), '--key', 'lk_0000000000000000_nonsense')
  expect(end.code).toBe(1)
  expect(end.stderr).toContain('Run the same command again')
  expect(await readdir(folder)).not.toContain('in.rejected.ndjson')
})

test('the template of each kind is written, never over a file, and is imported as that kind once it is filled in', async () => {
  for (const [kind, name, options] of [
    ['receivingEvent', 'received', []],
    ['shippingEvent', 'shipped', ['--kind', 'shipping-event']],
  ] as const) {
    for (const form of ['xlsx', 'csv']) {
      expect((await runCommand(['template', at(`${name}.${form}`), ...options], {})).code).toBe(0)
      expect((await runCommand(['template', at(`${name}.${form}`)], {})).stderr).toContain('already exists')
    }
    const file = at(`${name}.csv`)
    await writeFile(file, (await readFile(file, 'utf8')) + csvOf([goodRow()]))
    expect((await run(file)).code).toBe(0)
    expect(await events(kind)).toHaveLength(1)
  }
  expect((await runCommand(['template', at('t.pdf')], {})).code).toBe(1)
})

describe('rejected shipping events are imported as such, whatever told their kind the first time', () => {
  const wrong = shippingPayload(({ eventList }) => {
    eventList.productList[0].shipQuantity = 'many'
  })
  const rows = [eventHeadings, goodRow(), goodRow({ shipQuantity: 'many', purchaseOrderNumber: 'PO-2' })]
  test.each([
    ['csv', async () => csvOf(rows)],
    ['xlsx', async () => workbookOf([{ name: 'Sheet1', rows }])],
    ['ndjson', async () => `${ndjson([shippingPayload(), wrong])}{broken\n`],
  ] as const)('%s', async (form, content) => {
    await writeFile(at(`in.${form}`), await content())
    const first = await run(at(`in.${form}`), '--kind', 'shipping-event')
    expect(first.stdout).toContain(form === 'ndjson' ? '1 created, 2 rejected' : '1 created, 1 rejected')
    const rejected = await readFile(at(`in.rejected.${form}`))
    if (form === 'xlsx') {
      const [[name, [headings = []] = []] = []] = await readWorkbook(rejected)
      expect([name, headings.at(-1)]).toEqual(['Sheet1', reasonHeadings.shippingEvent])
      await writeFile(
        at('mended.xlsx'),
        await workbookOf([
          {
            name: 'Sheet1',
            rows: [
              [...eventHeadings, reasonHeadings.shippingEvent],
              [...(rows[2] ?? []), 'why'].map((text) => (text === 'many' ? '7' : text)),
            ],
          },
        ]),
      )
    } else {
      const mended = shippingPayload()
      const text = rejected
        .toString()
        .replaceAll(/"shipQuantity":"many"/g, '"shipQuantity":7')
        .replace(/,many,/, ',7,')
      await writeFile(at(`mended.${form}`), text.replace('{broken', JSON.stringify(mended)))
    }
    const second = await run(at(`mended.${form}`))
    expect(second.code, second.stdout + second.stderr).toBe(0)
    expect(await events('shippingEvent')).toHaveLength(form === 'ndjson' ? 3 : 2)
    expect(await events()).toEqual([])
  })
})

test('a shipment that is stored is replaced when asked, and removes lines only when that is allowed', async () => {
  const write = (...all: readonly (readonly string[])[]) =>
    writeFile(at('shipped.csv'), csvOf([shippingHeadings, ...all]))
  await write(goodRow(), goodRow({ caseLotNumber: 'L-2' }), goodRow({ purchaseOrderNumber: 'PO-2' }))
  expect((await run(at('shipped.csv'))).stdout).toContain('2 created; 2 shipping events with 3 product lines.')
  expect((await run(at('shipped.csv'))).stdout).toContain('2 stored before')
  await write(goodRow({ shipQuantity: '41' }), goodRow({ caseLotNumber: 'L-2' }))
  expect((await run(at('shipped.csv'))).stdout).toMatch(
    /The shipping event ".+" is already stored as record [0-9a-f-]{36}, version 1\./,
  )
  expect((await run(at('shipped.csv'), '--replace')).stdout).toContain('1 replaced')
  await write(goodRow({ shipQuantity: '41' }))
  expect((await run(at('shipped.csv'), '--replace')).stdout).toContain('removes a product line: item TOM-1 lot L-2')
  expect((await run(at('shipped.csv'), '--replace', '--yes')).stdout).toContain('1 replaced')
  expect(await events('shippingEvent')).toHaveLength(2)
})

test('times without an offset follow the time zone that is named, and a zone that there is none of is called wrongly', async () => {
  const summer = { eventDateTime: '2026-07-04 09:30', purchaseOrderNumber: 'PO-2' }
  await writeFile(at('in.csv'), csvOf([eventHeadings, goodRow({ eventDateTime: '2026-01-05 09:30' }), goodRow(summer)]))
  const { code, stderr } = await run(at('in.csv'), '--time-zone', 'america/chicago')
  expect(code).toBe(0)
  expect(stderr).toContain('those of America/Chicago on each date are assumed (2 rows, the first is row 2).')
  expect((await events()).map(({ eventList }) => eventList.eventDateTime).sort()).toEqual([
    '2026-01-05T09:30:00-06:00',
    '2026-07-04T09:30:00-05:00',
  ])
  expect((await run(at('in.csv'), '--time-zone', 'Mars/Olympus')).stderr).toContain('a time zone such as')
  expect((await run(at('in.csv'), '--time-zone', 'UTC', '--utc-offset', 'Z')).code).toBe(2)
})
