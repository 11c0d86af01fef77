// The FDA spreadsheet over real HTTP, read back by a library that did not write it.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventSheets, headingCell } from '../../../src/exports/fda-spreadsheet/template.ts'
import { handlersAt } from '../../../src/handlers/catalogue.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { isShortRun } from '../../support/runs.ts'
import { handlerContextOn } from '../../support/servers/handler-context.ts'
import { startOwnServer } from '../../support/servers/own-server.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

const path = '/traceability/fda-spreadsheet'
const sheetNames = ['Introduction', 'Definitions', ...eventSheets.map(({ name }) => name)]
const receivingXml = 'xl/worksheets/sheet10.xml'

/** Text that does not compress, and is the same each time. */
const incompressible = (n: number): string => createHash('sha512').update(String(n)).digest('base64')

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function created(provider: TestProvider, edit?: (payload: Payload) => void): Promise<string> {
  const reply = await provider.call('POST', paths.receivingEvent, { body: eventPayload(edit) })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

/** The first line of an event only. */
const oneLine =
  (edit: (payload: Payload) => void = () => undefined) =>
  (payload: Payload) => {
    payload.eventList.productList.length = 1
    edit(payload)
  }

async function sheets(provider: TestProvider, query = '') {
  const { status, bytes } = await download(service, provider, path + query)
  expect(status).toBe(200)
  return readWorkbook(bytes)
}

/** Rows of Receiving below the headings. */
const rows = async (provider: TestProvider, query = '') =>
  (await sheets(provider, query)).get('Receiving')?.slice(1) ?? []

const lots = async (provider: TestProvider, query = '') => (await rows(provider, query)).map(([lot]) => lot).sort()

describe('the workbook', () => {
  test('has the sheets and headings of the template when there is nothing else', async () => {
    const provider = await service.provider()
    const read = await sheets(provider)
    expect([...read.keys()]).toEqual(sheetNames)
    for (const { name, headings } of eventSheets) expect(read.get(name)).toEqual([headings.map(headingCell)])
    expect(read.get('Introduction')?.flat()).toContain(provider.name)
  })

  test('has one row per line, and only rows of the provider', async () => {
    const [provider, other] = [await service.provider(), await service.provider()]
    await created(provider, oneLine())
    await created(other)
    expect(await rows(provider)).toEqual([
      [
        'GV26062-A',
        '56',
        'case',
        'Romaine hearts 24 ct',
        'Green Valley',
        'Romaine lettuce',
        'Parris Island',
        '24 x 10 oz',
        'carton',
        'Green Valley Cooler',
        '+1.831.555.0100',
        '1200 Harvest Road',
        'Salinas',
        'CA',
        '93901',
        'USA',
        'Distribution Center 7',
        '+1.614.555.0170',
        '88 Freight Avenue',
        'Columbus',
        'OH',
        '43217',
        'USA',
        '02/01/2026',
        'Green Valley Cooler',
        '+1.831.555.0100',
        '1200 Harvest Road',
        'Salinas',
        'CA',
        '93901',
        'USA',
        'FFRN:14532865782; GLN:0614141000012',
        'Bill of Lading (BOL)',
        'BOL-55310',
        'Advance Shipping Notice (ASN); Purchase Order (PO)',
        'ASN-771203; PO-88120',
      ],
    ])
    expect(await rows(other)).toHaveLength(3)
  })

  test('says what was asked for, in its name and inside', async () => {
    const provider = await service.provider()
    const query = '?eventStartDate=2026-03-01&eventEndDate=2026-03-31&lotCode=L/1%22%0D%0Aä'
    const { headers, bytes } = await download(service, provider, path + query)
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="fda-spreadsheet-2026-03-01-to-2026-03-31-lot-L_1_.xlsx"',
    )
    const introduction = (await readWorkbook(bytes)).get('Introduction')
    expect(introduction).toContainEqual(['Events on this date or later', '2026-03-01'])
    expect(introduction).toContainEqual(['Traceability lot code', 'L/1"\r\nä'])
  })

  test('holds two thousand lines of one lot', async () => {
    const provider = await service.provider()
    await created(provider, (payload) => {
      const [line] = payload.eventList.productList
      payload.eventList.productList = Array.from({ length: 2000 }, (_, i) => ({
        ...line,
        poLineNumber: String(i),
        shipQuantity: i,
      }))
    })
    const all = await rows(provider, '?lotCode=GV26062-A')
    expect(all).toHaveLength(2000)
    expect(all.map(([, quantity]) => quantity)).toEqual(Array.from({ length: 2000 }, (_, i) => String(i)))
  })

  test('is completed with the master data in force, and a replacement counts at once', async () => {
    const provider = await service.provider()
    await provider.call('POST', paths.masterProduct, {
      body: {
        productMasterDataList: {
          dataProviderVendorId: 'V-1001',
          itemCode: 'ROM-24',
          itemDescription: 'Romaine of the master product',
          packSize: '24 master',
          packStyle: 'crate',
        },
      },
    })
    const id = await created(
      provider,
      oneLine((payload) => {
        payload.productMasterDataList = []
      }),
    )
    const [row] = await rows(provider)
    expect(row?.slice(3, 9)).toEqual(['Romaine of the master product', '', '', '', '24 master', 'crate'])
    const { body } = await provider.call('GET', `${paths.receivingEvent}/${id}`)
    body.eventList.productList[0].caseLotNumber = 'CORRECTED'
    await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body })
    expect(await lots(provider)).toEqual(['CORRECTED'])
  })
})

describe('a filter', () => {
  let provider: TestProvider

  beforeAll(async () => {
    provider = await service.provider()
    const named = (lot: string, edit: (event: Payload, payload: Payload) => void) =>
      created(
        provider,
        oneLine((payload) => {
          payload.eventList.productList[0].caseLotNumber = lot
          edit(payload.eventList, payload)
        }),
      )
    await named('UTC', (event) => {
      event.eventDateTime = '2026-05-30T02:00:00Z'
    })
    await named('OFFSET', (event) => {
      event.eventDateTime = '2026-05-29T22:00:00-04:00'
      event.shipToLocationCode = 'GV-COOLER-1'
    })
    await named('VENDOR', (event) => {
      event.dataProviderVendorId = 'V-2'
      event.eventDateTime = '2026-06-01T12:00:00Z'
    })
    await named('ITEMS', (event) => {
      event.eventDateTime = '2026-06-02T12:00:00Z'
      const [line] = event.productList
      event.productList = [
        { ...line, caseLotNumber: 'I-1', purchaserItemCode: 'SKU-1' },
        { ...line, caseLotNumber: 'I-2', vendorItemCode: 'CIL-30' },
      ]
    })
  })

  test.each([
    ['', ['I-1', 'I-2', 'OFFSET', 'UTC', 'VENDOR']],
    ['?eventStartDate=2026-05-30', ['I-1', 'I-2', 'UTC', 'VENDOR']],
    ['?eventEndDate=2026-05-29', ['OFFSET']],
    ['?eventStartDate=2026-05-30&eventEndDate=2026-05-30', ['UTC']],
    ['?eventStartDate=2026-05-29&eventEndDate=2026-05-30', ['OFFSET', 'UTC']],
    ['?dataProviderVendorId=V-2', ['VENDOR']],
    ['?shipToLocationCode=GV-COOLER-1', ['OFFSET']],
    ['?lotCode=I-1', ['I-1']],
    ['?itemCode=CIL-30', ['I-2']],
    ['?itemCode=SKU-1', ['I-1']],
    ['?itemCode=SKU-1&lotCode=I-2', []],
    ['?itemCode=ROM-24&eventStartDate=2026-06-01', ['I-1', 'VENDOR']],
    ['?lotCode=NOBODY', []],
  ])('%s takes %j', async (query, expected) => {
    expect(await lots(provider, query)).toEqual(expected)
    const { bytes } = await download(service, provider, `${path}${query}${query ? '&' : '?'}format=csv`)
    expect(
      readCsv(textIn(bytes))
        .slice(1)
        .map(([lot]) => lot)
        .sort(),
    ).toEqual(expected)
  })

  test.each([
    ['?eventStartDate=2026-03-31&eventEndDate=2026-03-01', /eventEndDate 2026-03-01 is before eventStartDate/],
    ['?format=csv&gaps=true', /CSV cannot have marks/],
    ['?format=ods', /format must be one of xlsx, csv/],
    ['?eventStartDate=2026-02-30', /must be a calendar date/],
  ])('%s is refused', async (query, detail) => {
    const { status, bytes } = await download(service, provider, path + query)
    expect(status).toBe(400)
    expect(JSON.parse(textIn(bytes)).detail).toMatch(detail)
  })
})

test('the date received is the one written, at the receiver', async () => {
  const provider = await service.provider()
  for (const eventDateTime of ['2026-05-30T02:00:00Z', '2026-05-29T22:00:01-04:00'])
    await created(
      provider,
      oneLine((payload) => {
        payload.eventList.eventDateTime = eventDateTime
      }),
    )
  expect((await rows(provider)).map((row) => row[23])).toEqual(['05/29/2026', '05/30/2026'])
})

const nasty = [
  '=1+1',
  '+1.831.555.0100',
  '-5',
  '@cmd',
  '\t=1',
  '00012345678901234567',
  '🥬 שלום',
  '_x0041_',
  'two\nlines, "quoted"\r\n',
  '\u0001\uFFFE',
  '😀'.repeat(100),
  "'quoted'",
  ' spaces ',
]

test('CSV says the same as the workbook, cell by cell, and both what was sent', async () => {
  const provider = await service.provider()
  await created(provider, (payload) => {
    const [line] = payload.eventList.productList
    payload.eventList.productList = nasty.map((text) => ({ ...line, caseLotNumber: text, vendorItemDescription: text }))
    payload.locationMasterList[0].locationName = '=HYPERLINK("x")'
  })
  const inWorkbook = await rows(provider)
  const { headers, bytes } = await download(service, provider, `${path}?format=csv`)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="fda-receiving.csv"')
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [headings, ...inCsv] = readCsv(textIn(bytes).slice(1))
  expect(headings).toHaveLength(36)
  expect(headings?.[3]).toBe('Product Description - Product Name')
  expect(inWorkbook.map(([lot, , , name]) => [lot, name])).toEqual(nasty.map((text) => [text, text]))
  const unguarded = inCsv.map((row) => row.map((cell) => cell.replace(/^'(?=[=@\t+-])/, '')))
  expect(unguarded).toEqual(inWorkbook)
  expect(inCsv.map(([lot]) => lot?.startsWith("'"))).toEqual(nasty.map((text) => /^[=@\t']/.test(text)))
})

describe('gaps', () => {
  test('are marked in cells that still read as empty, and listed with what to do', async () => {
    const provider = await service.provider()
    const id = await created(provider, (payload) => {
      const [first, second, third] = payload.eventList.productList
      payload.eventList.eventDateTime = '2025-12-31T12:00:00Z'
      delete payload.productMasterDataList[0].packSize
      delete first.caseLotNumber
      delete payload.locationMasterList[1].phoneNumber
      Object.assign(third, { vendorItemCode: 'UNKNOWN', tlcSourceReferenceDuns: '123456789' })
      delete third.tlcSourceReferenceFfrn
      delete second.tlcSourceName
      second.tlcSourceReferenceOther = 'GGN:1'
    })
    const plain = await download(service, provider, path)
    const marked = await download(service, provider, `${path}?gaps=true`)
    const [withoutMarks, withMarks] = [await readWorkbook(plain.bytes), await readWorkbook(marked.bytes)]
    expect(withMarks.get('Receiving')).toEqual(withoutMarks.get('Receiving'))
    expect([...withMarks.keys()]).toEqual([...sheetNames, 'Gaps'])
    expect(textIn(unzipped(plain.bytes)[receivingXml])).not.toMatch(/s="5"/)
    expect(
      [...textIn(unzipped(marked.bytes)[receivingXml]).matchAll(/<c r="(\w+)" s="5"\/>/g)].map(([, at]) => at),
    ).toEqual([
      ...['A2', 'H2', 'R2'],
      ...['H3', 'R3', 'Y3'],
      ...['D4', 'H4', 'I4', 'R4', 'Y4', 'Z4', 'AA4', 'AB4', 'AC4', 'AD4'],
    ])
    const listed = withMarks.get('Gaps')?.slice(1)
    expect(listed?.map((row) => row.slice(0, 4))).toEqual([
      [id, 'all lines', '', 'R'],
      ...[
        [id, '1', '', 'H'],
        [id, '1', '', 'A'],
      ],
      ...[
        [id, '2', 'GV26063-B', 'H'],
        [id, '2', 'GV26063-B', 'Y'],
      ],
      ...['D', 'H', 'I', 'Y', 'Z', 'AA', 'AB', 'AC', 'AD'].map((letter) => [id, '3', 'GV26062-C', letter]),
    ])
    for (const row of listed ?? []) {
      expect(row).toHaveLength(8)
      for (const text of row.slice(4)) expect(text).not.toBe('')
    }
    expect(listed?.[0]?.slice(4, 7)).toEqual([
      'Location Description for where the Food was Received - Phone Number',
      '1.1345(a)(5)',
      'Location "DC-07" has no phone number.',
    ])
  })

  test('are none where master data in force fills the cell, or where the product is not on the list', async () => {
    const provider = await service.provider()
    await provider.call('POST', paths.masterProduct, {
      body: {
        productMasterDataList: {
          dataProviderVendorId: 'V-1001',
          itemCode: 'ROM-24',
          itemDescription: 'Romaine',
          packSize: '24',
          packStyle: 'crate',
        },
      },
    })
    await created(provider, (payload) => {
      payload.eventList.productList.splice(1, 1)
      delete payload.productMasterDataList[0].packSize
      Object.assign(payload.productMasterDataList[1], { isFtlItem: false, ftlCategory: '' })
      delete payload.productMasterDataList[1].packSize
      delete payload.productMasterDataList[1].ftlCategory
    })
    const read = await sheets(provider, '?gaps=true')
    expect(read.get('Gaps')).toHaveLength(1)
    expect(read.get('Receiving')?.[1]?.[7]).toBe('24')
  })
})

describe('a reader who takes his time', () => {
  const copies = 60
  const linesPerEvent = 1000

  /**
   * A server whose exports say when they ended, on a database that counts the versions read for
   * them.
   */
  async function watchedServer(pool: pg.Pool) {
    const watched = { batches: 0, ended: undefined as Promise<void> | undefined }
    const query = (asked: { name?: string; text: string; values: unknown[] }) => {
      if (asked.name === 'readVersions') watched.batches++
      return pool.query(asked)
    }
    const handlers = handlersAt(handlerContextOn({ query } as unknown as pg.Pool))
    const { server, url } = await startOwnServer(pool, {
      handlers: {
        ...handlers,
        async exportFdaSpreadsheet(ask) {
          const answer = await handlers.exportFdaSpreadsheet(ask)
          const { file } = answer
          if (file === undefined) return answer
          let end = () => {}
          watched.ended = new Promise((resolve) => {
            end = resolve
          })
          const parts = async function* () {
            try {
              yield* file.parts
            } finally {
              end()
            }
          }
          return { ...answer, file: { ...file, parts: parts() } }
        },
      },
    })
    return { server, url, watched }
  }

  // A short run shows it of the one that needs no compressor.
  test.each(isShortRun ? ['csv'] : ['csv', 'xlsx'])(
    'slows the creation of %s only, and ends it by disconnecting',
    async (format) => {
      const provider = await service.provider()
      const id = await created(provider, (payload) => {
        const [line] = payload.eventList.productList
        payload.eventList.productList = Array.from({ length: linesPerEvent }, (_, i) => ({
          ...line,
          // Text that does not compress.
          caseLotNumber: incompressible(2 * i) + i,
          vendorItemDescription: incompressible(2 * i + 1),
        }))
      })
      const { pool } = service.database
      const ids = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
      const others = `generate_series(1, ${copies - 1}) AS n`
      await pool.query(
        `INSERT INTO record SELECT (json_populate_record(r, json_build_object('id', ${ids}))).*
       FROM record r, ${others} WHERE r.provider_id = $1 AND r.id = $2`,
        [provider.id, id],
      )
      await pool.query(
        `INSERT INTO event SELECT (json_populate_record(e, json_build_object('id', ${ids}, 'eventDateTime', e."eventDateTime" - n * interval '1 second'))).*
       FROM event e, ${others} WHERE e.provider_id = $1 AND e.id = $2`,
        [provider.id, id],
      )
      await pool.query(
        `INSERT INTO record_version SELECT (json_populate_record(v, json_build_object('record_id', ${ids}))).*
       FROM record_version v, ${others} WHERE v.provider_id = $1 AND v.record_id = $2`,
        [provider.id, id],
      )
      const { server, url, watched } = await watchedServer(pool)
      try {
        const key = await provider.key('reader')
        const asked = httpGet(`${url}${path}?format=${format}`, { headers: { authorization: `Bearer ${key}` } })
        const [response] = (await once(asked, 'response')) as [IncomingMessage]
        response.on('error', () => undefined)
        await once(response, 'readable')
        const call = calling(url, key)
        // Others are served; and once no more is made between two rounds of them, it waits for the
        // reader.
        for (let before = -1; before !== watched.batches; ) {
          before = watched.batches
          for (let i = 0; i < 40; i++) expect((await call('GET', `${paths.receivingEvent}?limit=1`)).status).toBe(200)
        }
        expect(watched.batches).toBeLessThan(copies)
        response.destroy()
        await watched.ended
        expect(watched.batches).toBeLessThan(copies)
      } finally {
        await server.close()
      }
    },
  )
})

describe('shipping events', () => {
  const shippedPath = '/data-provider/events/shipping'
  const ship = async (provider: TestProvider, edit: (payload: Payload) => void = () => undefined): Promise<string> => {
    const body = eventPayload((payload) => {
      payload.eventList.eventDateTime = '2026-03-03T16:10:00-08:00'
      payload.eventList.productList.length = 1
      payload.eventList.productList[0].caseLotNumber = 'SHIPPED-1'
      edit(payload)
    })
    const reply = await provider.call('POST', shippedPath, { body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body.request_ids[0]
  }

  test('fill the sheet Shipping with both places in its order, the date at the shipper, and their filters', async () => {
    const provider = await service.provider()
    await created(provider, oneLine())
    await ship(provider, ({ eventList }) => delete eventList.purchaseOrderNumber)
    await ship(provider, ({ eventList }) => {
      eventList.eventDateTime = '2026-04-01T08:00:00Z'
      eventList.productList[0].caseLotNumber = 'SHIPPED-2'
    })
    const all = await sheets(provider)
    const received = Object.fromEntries((all.get('Receiving')?.[1] ?? []).map((cell, at) => [at, cell]))
    const [first = [], second = []] = all.get('Shipping')?.slice(1) ?? []
    expect(all.get('Receiving')).toHaveLength(2)
    expect([first[0], second[0]]).toEqual(['SHIPPED-1', 'SHIPPED-2'])
    const places = (row: readonly unknown[] | Record<number, unknown>, from: number) =>
      Array.from({ length: 7 }, (_, at) => (row as Record<number, unknown>)[from + at])
    // Columns J and Q: the recipient comes before the shipper.
    expect(places(first, 9)).toEqual(places(received, 16))
    expect(places(first, 16)).toEqual(places(received, 9))
    expect(first[23]).toBe('03/03/2026')
    const march = await sheets(provider, '?eventEndDate=2026-03-31')
    expect(
      march
        .get('Shipping')
        ?.slice(1)
        .map(([lot]) => lot),
    ).toEqual(['SHIPPED-1'])
    const byLot = await sheets(provider, '?lotCode=SHIPPED-2')
    expect(byLot.get('Receiving')).toHaveLength(1)
    expect(
      byLot
        .get('Shipping')
        ?.slice(1)
        .map(([lot]) => lot),
    ).toEqual(['SHIPPED-2'])
  })

  test('mark their gaps with the paragraphs of 1.1340 and list what replacements changed', async () => {
    const provider = await service.provider()
    const id = await ship(provider, (payload) => {
      for (const field of ['purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber']) delete payload.eventList[field]
    })
    const { body } = await provider.call('GET', `${shippedPath}/${id}`)
    body.eventList.productList[0].shipQuantity = 41
    expect((await provider.call('PUT', `${shippedPath}/${id}`, { body })).status).toBe(200)
    const all = await sheets(provider, '?gaps=true')
    const gaps = all.get('Gaps')?.slice(1) ?? []
    expect(gaps.map((row) => [row[3], row[5]])).toContainEqual(['Shipping!AG', '1.1340(a)(8)'])
    expect(
      all
        .get('Corrections')
        ?.slice(1)
        .map((row) => [row[0], row[5], row[8]]),
    ).toEqual([[id, 'Shipping!B', '41']])
  })

  test('of another provider are in no sheet', async () => {
    const [one, other] = [await service.provider(), await service.provider()]
    await ship(one)
    expect((await sheets(other)).get('Shipping')).toHaveLength(1)
  })
})
