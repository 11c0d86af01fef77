// Places to which the rule does not apply, over HTTP: whatever is set and received in whatever
// order, counts, gaps, findings and the files for FDA agree. Source: decision 0093.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../../support/servers/server-process.ts'
import { type Call, calling, startService } from '../../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(120_000) })

let own: OwnDatabase
let server: ServerProcess
beforeAll(async () => {
  own = await ownDatabase()
  server = await startServerProcess(own.env)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await own?.drop()
})

interface Provider {
  readonly call: Call
  readonly administrator: Call
  readonly key: string
}

let providers = 0
async function newProvider(): Promise<Provider> {
  const provider = `exempt ${++providers}`
  const keyOf = async (role: string): Promise<string> => {
    const { stdout, stderr } = await runCommand(['keys', 'create', '--provider', provider, '--role', role], own.env)
    const key = /lk_\w+_[\w-]{43}/.exec(stdout)?.[0]
    if (key === undefined) throw new Error(stderr)
    return key
  }
  const key = await keyOf('writer')
  return {
    key,
    call: calling(server.address, key),
    administrator: calling(server.address, await keyOf('administrator')),
  }
}

const vendor = 'V-1001'
const farm = { dataProviderVendorId: vendor, locationCode: 'GV-COOLER-1' }
const small = { reason: 'smallProduceFarm' }

const declare = async ({ administrator }: Provider, ...places: object[]) => {
  const reply = await administrator('PUT', '/exempt-places', { body: { places } })
  expect(reply.status, reply.text).toBe(200)
}

/** A receipt of one line whose lot code source is a number that nobody describes. */
const receiptOf = (edit: (event: Payload, payload: Payload) => void = () => undefined) =>
  eventPayload((payload) => {
    const fields = Object.entries(payload.eventList.productList[0]).filter(([name]) => !name.startsWith('tlcSource'))
    payload.eventList.productList = [{ ...Object.fromEntries(fields), tlcSourceReferenceGln: '0614141999989' }]
    edit(payload.eventList, payload)
  })

async function receive({ call }: Provider, edit?: Parameters<typeof receiptOf>[0]): Promise<string> {
  const reply = await call('POST', paths.receivingEvent, { body: receiptOf(edit) })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

/** Completeness once no count waits. */
async function settled({ call }: Provider): Promise<Payload> {
  let body: Payload
  await expect
    .poll(
      async () => {
        body = (await call('GET', '/traceability/completeness')).body
        return body.recounting
      },
      { timeout: allowMs(30_000), interval: 20 },
    )
    .toBeNull()
  return body.total
}

const gapsNow = async ({ call }: Provider, id: string): Promise<readonly string[]> =>
  (await call('GET', `${paths.receivingEvent}/${id}/findings?judged=now&severity=gap`)).body.findings.map(
    ({ rule }: Payload) => rule,
  )

const sheetsOf = async ({ key }: Provider, query = '') =>
  readWorkbook(
    (await download({ url: server.address }, { key: async () => key }, `/traceability/fda-spreadsheet${query}`)).bytes,
  )

/** The rows of the sheets that receipts may be in. */
async function rowsOf(provider: Provider, query?: string): Promise<Record<string, number>> {
  const sheets = await sheetsOf(provider, query)
  const names = [
    'Receiving',
    'Receiving From Exempt',
    'Farm Purchase by RFE or Rest.  ',
    'Ad-hoc RFE or Rest. Purchase',
    'Farm to School or Institution',
  ]
  return Object.fromEntries(
    names.flatMap((name) => {
      const rows = (sheets.get(name) ?? []).length - 1
      return rows > 0 ? [[name.trim(), rows]] : []
    }),
  )
}

const source = 'product-line/tlc-source-place'

describe('a receipt', () => {
  test('loses its gap and changes its sheet when its place is set, and gets both back when that is removed', async () => {
    const provider = await newProvider()
    const id = await receive(provider)
    const at = `${paths.receivingEvent}/${id}`
    const before = await provider.call('GET', at)
    expect(await gapsNow(provider, id)).toEqual([source])
    expect(await settled(provider)).toMatchObject({ lines: 1, completeLines: 0 })
    expect(await rowsOf(provider)).toEqual({ Receiving: 1 })

    await declare(provider, { ...farm, exemptions: [small] })
    expect(await gapsNow(provider, id)).toEqual([])
    expect(await settled(provider)).toMatchObject({ lines: 1, completeLines: 1 })
    expect((await provider.call('GET', '/traceability/gaps')).body.content).toEqual([])
    expect(await rowsOf(provider)).toEqual({ 'Receiving From Exempt': 1 })
    const after = await provider.call('GET', at)
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')])

    await declare(provider, farm)
    expect(await gapsNow(provider, id)).toEqual([source])
    expect(await settled(provider)).toMatchObject({ completeLines: 0 })
    expect(await rowsOf(provider)).toEqual({ Receiving: 1 })
  })

  test('is judged with the list when it is written, and the answer says so', async () => {
    const provider = await newProvider()
    await declare(provider, { dataProviderVendorId: vendor, exemptions: [small] })
    const headers = { prefer: 'return=representation' }
    const { body } = await provider.call('POST', paths.receivingEvent, { body: receiptOf(), headers })
    expect(body.severities).toMatchObject({ gap: 0 })
    expect(await settled(provider)).toMatchObject({ completeLines: 1 })
    // One that asks for no master data: all of its own, and a placeholder for the source.
    const own = await provider.call('POST', paths.receivingEvent, {
      body: receiptOf((event) => {
        const [line] = event.productList
        delete line.tlcSourceReferenceGln
        event.productList = [{ ...line, tlcSourceReferenceOther: 'n/a' }]
      }),
      headers,
    })
    expect(own.body.severities).toMatchObject({ gap: 0 })
    expect(await settled(provider)).toMatchObject({ lines: 2, completeLines: 2 })
  })

  test('that lacks something cites the paragraph that wants it', async () => {
    const provider = await newProvider()
    await declare(provider, { ...farm, exemptions: [small] })
    const paragraph = '21 CFR 1.1345(b)(4)'
    const { body } = await provider.call('POST', paths.receivingEvent, {
      body: receiptOf((_, { locationMasterList }) => {
        delete locationMasterList[0].phoneNumber
      }),
      headers: { prefer: 'return=representation' },
    })
    const citesOf = (findings: readonly Payload[]) =>
      findings.flatMap(({ severity, cites }) => (severity === 'gap' ? [cites] : [])).sort()
    expect(citesOf(body.findings)).toEqual([paragraph])
    const { body: now } = await provider.call(
      'GET',
      `${paths.receivingEvent}/${body.request_ids[0]}/findings?judged=now&counts=true`,
    )
    expect(citesOf(now.findings)).toEqual([paragraph])
    expect(citesOf(now.rules)).toEqual([paragraph])
  })

  test.each([
    ['farmPurchase', 'Farm Purchase by RFE or Rest.'],
    ['adHocPurchase', 'Ad-hoc RFE or Rest. Purchase'],
    ['farmToSchool', 'Farm to School or Institution'],
  ])('under %s is in the sheet %s where its ship-to location is named, with name and address', async (reason, name) => {
    const provider = await newProvider()
    await declare(provider, { ...farm, exemptions: [small, { reason, shipToLocationCodes: ['STORE-12'] }] })
    await receive(provider)
    await receive(provider, (event, { locationMasterList }) => {
      event.shipToLocationCode = 'STORE-12'
      locationMasterList[1] = { ...locationMasterList[1], locationCode: 'STORE-12', gln: undefined }
      delete locationMasterList[0].phoneNumber
      delete event.productList[0].caseLotNumber
      event.eventDateTime = '2025-03-04T10:00:00-05:00'
    })
    expect(await rowsOf(provider)).toEqual({ 'Receiving From Exempt': 1, [name]: 1 })
    const [, row = []] = [...(await sheetsOf(provider)).entries()].find(([one]) => one.trim() === name)?.[1] ?? []
    expect(row).toEqual(expect.arrayContaining(['Green Valley Cooler', 'Salinas', 'CA']))
    expect(row.join()).not.toContain('+1.831')
    expect(await settled(provider)).toMatchObject({ lines: 2, completeLines: 2 })
  })

  test('after the last day of an exemption is an ordinary one', async () => {
    const provider = await newProvider()
    await declare(provider, { ...farm, exemptions: [{ ...small, endDate: '2026-02-28' }] })
    await receive(provider, (event) => Object.assign(event, { eventDateTime: '2026-02-28T23:00:00-08:00' }))
    const late = await receive(provider, (event) =>
      Object.assign(event, { eventDateTime: '2026-03-01T00:00:00-08:00' }),
    )
    expect(await gapsNow(provider, late)).toEqual([source])
    expect(await rowsOf(provider)).toEqual({ Receiving: 1, 'Receiving From Exempt': 1 })
    expect(await settled(provider)).toMatchObject({ lines: 2, completeLines: 1 })
  })

  test('of another provider knows nothing of the list', async () => {
    const [one, other] = [await newProvider(), await newProvider()]
    await declare(one, { ...farm, exemptions: [small] })
    const id = await receive(other)
    expect(await gapsNow(other, id)).toEqual([source])
    expect(await rowsOf(other)).toEqual({ Receiving: 1 })
    expect((await other.call('GET', '/exempt-places')).body.content).toEqual([])
  })

  test('whose exempt place is unknown to the records is as before', async () => {
    const provider = await newProvider()
    await receive(provider)
    await declare(provider, { ...farm, locationCode: 'NOWHERE', exemptions: [small] })
    expect(await settled(provider)).toMatchObject({ completeLines: 0 })
    expect(await rowsOf(provider)).toEqual({ Receiving: 1 })
  })
})

test('whatever is set and received in whatever order, counts, current gaps and sheets agree', async () => {
  const place = fc.constantFrom(farm, { dataProviderVendorId: vendor }, { ...farm, locationCode: 'OTHER' })
  const exemption = fc.constantFrom<object | undefined>(
    ...[small, { ...small, endDate: '2026-02-28' }, { reason: 'farmPurchase' }, undefined],
  )
  const step = fc.oneof(
    fc.record({ place, exemption }),
    fc.record({ day: fc.constantFrom('2026-02-20', '2026-03-20'), hasSource: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const provider = await newProvider()
      const ids: string[] = []
      for (const [n, one] of steps.entries())
        if ('place' in one)
          await declare(provider, { ...one.place, ...(one.exemption && { exemptions: [one.exemption] }) })
        else
          ids.push(
            await receive(provider, (event) => {
              event.eventDateTime = `${one.day}T10:0${n}:00-08:00`
              if (one.hasSource) event.productList[0].tlcSourceReferenceGln = '0614141000012'
            }),
          )
      const { lines, completeLines } = await settled(provider)
      const gaps = await Promise.all(ids.map((id) => gapsNow(provider, id)))
      expect([lines, completeLines]).toEqual([ids.length, gaps.filter((some) => some.length === 0).length])
      const rows = await rowsOf(provider)
      expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBe(ids.length)
      const marked = ((await sheetsOf(provider, '?gaps=true')).get('Gaps') ?? []).slice(1)
      expect(new Set(marked.map(([id]) => id)).size).toBe(gaps.filter((some) => some.length > 0).length)
    }),
    { numRuns: runs(10) },
  )
})

test('receipts that arrive while the list changes are counted by the list that is left', async () => {
  const provider = await newProvider()
  const ids: string[] = []
  const receiveSome = async (hour: number) => {
    for (let minute = 10; minute < 30; minute++)
      ids.push(
        await receive(provider, (event) => {
          event.eventDateTime = `2026-03-04T${hour}:${minute}:00-08:00`
          // Half of them ask for no master data.
          if (minute % 2 === 0) {
            delete event.productList[0].tlcSourceReferenceGln
            event.productList[0].tlcSourceReferenceOther = 'n/a'
          }
        }),
      )
  }
  const change = async () => {
    for (let n = 0; n < 9; n++) {
      await declare(provider, { ...farm, ...(n % 2 === 0 && { exemptions: [small] }) })
      await declare(provider, { dataProviderVendorId: vendor, ...(n % 3 === 0 && { exemptions: [small] }) })
    }
    // The last of each: the farm is exempt, and its vendor is not.
  }
  await Promise.all([receiveSome(10), receiveSome(11), receiveSome(12), change()])
  expect(await settled(provider)).toMatchObject({ lines: ids.length, completeLines: ids.length })
})

describe('the files for FDA', () => {
  test('have a CSV and a page for each sheet with rows, and its count', async () => {
    const provider = await newProvider()
    await declare(provider, { ...farm, exemptions: [{ ...small, note: 'Letter of 2026-01-05' }] })
    await receive(provider)
    const ofKey = { key: async () => provider.key }
    const files = unzipped((await download({ url: server.address }, ofKey, '/traceability/fda-package')).bytes)
    const [, row = []] = readCsv(textIn(files['fda-receiving-from-exempt.csv']).replace('\uFEFF', ''))
    expect(row).toHaveLength(29)
    expect(row.slice(9, 11)).toEqual(['Green Valley Cooler', '+1.831.555.0100'])
    expect(JSON.parse(textIn(files['manifest.json'])).counts).toMatchObject({
      ...{ lines: 0, receivingFromExemptEvents: 1, receivingFromExemptLines: 1, receivingFromExemptGaps: 0 },
    })
    const page = textIn(files['explanation.html'])
    expect(page).toContain('<h2>Columns of the sheet Receiving From Exempt</h2>')
    expect(page).not.toContain('<h2>Columns of the sheet Farm Purchase')
  })

  test('list a correction of the ship-from location in the sheet that the record is now in', async () => {
    const provider = await newProvider()
    await declare(provider, { ...farm, exemptions: [small] })
    const sent = receiptOf()
    const { body } = await provider.call('POST', paths.receivingEvent, { body: sent })
    sent.eventList.productList[0].shipQuantity = 7
    await provider.call('PUT', `${paths.receivingEvent}/${body.request_ids[0]}`, { body: sent })
    const corrections = ((await sheetsOf(provider)).get('Corrections') ?? []).slice(1)
    expect(corrections.map((row) => row[5])).toEqual(["'Receiving From Exempt'!B"])
  })
})

describe('a write', () => {
  test('asks for the list with other facts, or if the receipt has a gap, and else for nothing', async () => {
    let asked: string[] = []
    const service = await startService({}, (name) => asked.push(name))
    const { call } = await service.provider()
    const factsOf = async (edit: (line: Payload, payload: Payload) => void) => {
      const body = eventPayload((payload) => {
        delete payload.payloadId
        payload.eventList.productList.splice(1)
        edit(payload.eventList.productList[0], payload)
      })
      asked = []
      expect((await call('POST', paths.receivingEvent, { body })).status).toBe(201)
      return asked.filter((name) => name === 'facts').length
    }
    expect(await factsOf(() => undefined)).toBe(0)
    expect(await factsOf((_, { locationMasterList }) => delete locationMasterList[0].phoneNumber)).toBe(1)
    expect(await factsOf((line) => Object.assign(line, { caseLotNumber: 'n/a' }))).toBe(1)
    await service.close()
  })
})

describe('a list', () => {
  test.each([
    ['without a vendor', { exemptions: [small] }, /dataProviderVendorId/],
    [
      'with a blank vendor',
      { dataProviderVendorId: ' ', exemptions: [small] },
      /dataProviderVendorId is required and is blank/,
    ],
    [
      'with a blank location',
      { ...farm, locationCode: '', exemptions: [small] },
      /locationCode of vendor "V-1001" is blank/,
    ],
    ['with an unknown reason', { ...farm, exemptions: [{ reason: 'tooSmall' }] }, /reason/],
    ['with a day that is in no calendar', { ...farm, exemptions: [{ ...small, endDate: '2026-02-30' }] }, /endDate/],
    [
      'that ends before it starts',
      { ...farm, exemptions: [{ ...small, startDate: '2026-03-02', endDate: '2026-03-01' }] },
      /endDate .* before startDate/,
    ],
    ['with another reason and no note', { ...farm, exemptions: [{ reason: 'other' }] }, /note/],
    [
      'with two exemptions of a day',
      {
        ...farm,
        exemptions: [
          { ...small, endDate: '2026-03-01' },
          { reason: 'nonprofit', startDate: '2026-03-01' },
        ],
      },
      /smallProduceFarm and nonprofit .* same receipts/,
    ],
    [
      'with a blank ship-to location',
      { ...farm, exemptions: [{ ...small, shipToLocationCodes: [''] }] },
      /shipToLocationCode .* blank/,
    ],
    ['with an unknown field', { ...farm, gln: '0614141000012', exemptions: [small] }, /gln/],
  ])('%s is refused, and nothing of it is set', async (_, place, says) => {
    const provider = await newProvider()
    const good = { dataProviderVendorId: 'V-2', exemptions: [small] }
    const reply = await provider.administrator('PUT', '/exempt-places', { body: { places: [good, place] } })
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringMatching(says)])
    expect((await provider.call('GET', '/exempt-places')).body.content).toEqual([])
  })

  test('with a place twice is refused', async () => {
    const { administrator } = await newProvider()
    const place = { ...farm, exemptions: [small] }
    const { status, body } = await administrator('PUT', '/exempt-places', { body: { places: [place, place] } })
    expect([status, body.detail]).toEqual([
      422,
      'The exemptions of location "GV-COOLER-1" of vendor "V-1001" are listed twice. List them once. Nothing was set.',
    ])
  })

  test('is read by a writer, and set by an administrator alone', async () => {
    const { call } = await newProvider()
    expect((await call('GET', '/exempt-places')).status).toBe(200)
    expect((await call('PUT', '/exempt-places', { body: { places: [{ ...farm, exemptions: [small] }] } })).status).toBe(
      403,
    )
  })
})
