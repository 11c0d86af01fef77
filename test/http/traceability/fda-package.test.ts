// The FDA package over real HTTP, unpacked by a library that did not pack it.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../../src/version.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

const path = '/traceability/fda-package'

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

async function packed(provider: TestProvider, query = '') {
  const { status, headers, bytes } = await download(service, provider, path + query)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/zip')
  const files = unzipped(bytes)
  return { name: headers.get('content-disposition'), files, manifest: JSON.parse(textIn(files['manifest.json'])) }
}

describe('the package', () => {
  test('holds workbook, CSV and explanation, and a manifest of them that is right', async () => {
    const provider = await service.provider()
    await created(provider)
    await created(provider, (payload) => delete payload.productMasterDataList[0].packStyle)
    await created(await service.provider())
    const { name, files, manifest } = await packed(provider, '?eventStartDate=2026-01-01&gaps=true')
    expect(name).toBe('attachment; filename="fda-package-from-2026-01-01.zip"')
    expect(Object.keys(files)).toEqual([
      'fda-spreadsheet-from-2026-01-01.xlsx',
      'fda-receiving-from-2026-01-01.csv',
      'explanation.html',
      'manifest.json',
    ])
    expect(manifest).toEqual({
      madeAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      program: `Lotkeeper ${version}`,
      provider: provider.name,
      filters: { eventStartDate: '2026-01-01' },
      gapsMarked: true,
      counts: {
        events: 2,
        lines: 6,
        lots: 3,
        places: 2,
        gaps: 2,
        correctedRecords: 0,
        corrections: 0,
        voidedRecords: 0,
        emptyCells: { I: 2 },
      },
      files: Object.entries(files)
        .slice(0, 3)
        .map(([file, bytes]) => ({
          name: file,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        })),
    })
    const sheets = await readWorkbook(files['fda-spreadsheet-from-2026-01-01.xlsx'] ?? new Uint8Array())
    expect(sheets.get('Gaps')).toHaveLength(3)
    const csv = readCsv(textIn(files['fda-receiving-from-2026-01-01.csv']).slice(1))
    expect(csv.slice(1).map((row) => row.map((cell) => cell.replace(/^'/, '')))).toEqual(
      sheets.get('Receiving')?.slice(1),
    )
    const page = textIn(files['explanation.html'])
    for (const text of [provider.name, 'caseLotNumber', '1.1345(a)(8)', 'FFRN:…', '<td>I</td>', '33.3 %'])
      expect(page).toContain(text)
  })

  test('counts gaps when it does not mark them', async () => {
    const provider = await service.provider()
    await created(provider, (payload) => delete payload.productMasterDataList[1].packSize)
    const { files, manifest } = await packed(provider)
    expect(manifest.gapsMarked).toBe(false)
    expect(manifest.counts).toMatchObject({ gaps: 1, emptyCells: { H: 1 } })
    const sheets = await readWorkbook(files['fda-spreadsheet.xlsx'] ?? new Uint8Array())
    expect(sheets.has('Gaps')).toBe(false)
  })

  test('lists voided records that match, with their rows, the time and the reason, and nothing of others', async () => {
    const provider = await service.provider()
    const withLot = (lot: string) => (payload: Payload) => {
      payload.eventList.productList = [{ ...payload.eventList.productList[0], caseLotNumber: lot }]
    }
    await created(provider, withLot('KEPT-1'))
    const [wrong, other] = [await created(provider, withLot('WRONG-1')), await created(provider, withLot('OTHER-1'))]
    const why = 'Refused at the dock, <b>"late"</b>'
    for (const id of [wrong, other])
      expect(
        (await provider.call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: why } })).status,
      ).toBe(200)

    const { files, manifest } = await packed(provider, '?lotCode=WRONG-1&lotCode=KEPT-1')
    expect(manifest.counts).toMatchObject({ events: 1, lines: 1, voidedRecords: 1 })
    const name = Object.keys(files).find((file) => file.startsWith('fda-voided')) ?? ''
    expect(manifest.files.map((file: Payload) => file.name)).toContain(name)
    const [, ...rows] = readCsv(textIn(files[name]).slice(1))
    expect(rows.map((row) => [row[0], row[2]])).toEqual([[wrong, why]])
    expect(rows[0]?.[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(rows[0]?.slice(3)).toContain('WRONG-1')
    expect(JSON.stringify(rows)).not.toContain('OTHER-1')
    const page = textIn(files['explanation.html'])
    expect(page).toContain(`<td>${wrong}</td>`)
    expect(page).toContain('Refused at the dock, &lt;b&gt;')
    expect(page).not.toContain(other)
    const csv = textIn(files[Object.keys(files).find((file) => /^fda-receiving.*csv$/.test(file)) ?? ''])
    expect(csv).toContain('KEPT-1')
    expect(csv).not.toContain('WRONG-1')
    expect((await packed(provider, '?eventEndDate=2020-01-01')).manifest.counts.voidedRecords).toBe(0)
    // Brought back, it has rows again, and its history says that it was voided.
    const { body } = await provider.call('GET', `${paths.receivingEvent}/${wrong}`)
    await provider.call('PUT', `${paths.receivingEvent}/${wrong}`, { body })
    const again = await packed(provider, '?lotCode=WRONG-1')
    expect(again.manifest.counts).toMatchObject({ events: 1, voidedRecords: 0, correctedRecords: 1 })
    const corrections = textIn(
      again.files[Object.keys(again.files).find((file) => file.startsWith('fda-corrections')) ?? ''],
    )
    expect(readCsv(corrections.slice(1)).map((row) => [row[6], row[8]])).toEqual([
      ['Key data element', 'After'],
      ['record voided', why],
      ['record brought back', ''],
    ])
  })

  test('of nothing says so', async () => {
    const provider = await service.provider()
    const { files, manifest } = await packed(provider, '?lotCode=NOBODY')
    expect(manifest.counts).toEqual({
      events: 0,
      lines: 0,
      lots: 0,
      places: 0,
      gaps: 0,
      correctedRecords: 0,
      corrections: 0,
      voidedRecords: 0,
      emptyCells: {},
    })
    expect(textIn(files['explanation.html'])).toContain('No record matches the filters.')
    expect(readCsv(textIn(files['fda-receiving-lot-NOBODY.csv']))).toHaveLength(1)
  })

  test('is refused for a reversed range', async () => {
    const { status } = await download(
      service,
      await service.provider(),
      `${path}?eventStartDate=2026-03-31&eventEndDate=2026-03-01`,
    )
    expect(status).toBe(400)
  })
})
