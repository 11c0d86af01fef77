// One lot, written on lines in every form, and asked for in every form: each reader finds the same
// lines. Source: decision 0049.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readLotCode } from '../../../src/contract/lots/lot-code.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import { download } from '../../support/files/download.ts'
import { readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { gs1Forms, gs1LotCodes, gtins, otherWritings } from '../../support/records/lot-forms.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** An event with a line of each lot code, of an item without a GTIN of its own. */
const carrying = (lotCodes: readonly string[]): Payload =>
  eventPayload(({ eventList, productMasterDataList }) => {
    const [{ caseGtin: _, ...sample }] = eventList.productList
    eventList.productList = lotCodes.map((caseLotNumber) => ({ ...sample, caseLotNumber }))
    for (const product of productMasterDataList) product.gtin = undefined
  })

async function create({ call }: TestProvider, lotCodes: readonly string[]): Promise<string> {
  const reply = await call('POST', paths.receivingEvent, { body: carrying(lotCodes) })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

async function trace({ call }: TestProvider, lotCode: string): Promise<Payload> {
  const reply = await call('GET', `/traceability/lots/${encodeURIComponent(lotCode)}`)
  expect(reply.status, `${lotCode}: ${reply.text}`).toBe(200)
  return reply.body
}

const tracedCodes = ({ events }: Payload): string[] =>
  events.flatMap(({ lines }: Payload) => lines.map((line: Payload) => line.lotCode)).sort()
const alikeCodes = ({ readAlike }: Payload): string[] => readAlike.map((line: Payload) => line.lotCode).sort()

const gtin = '10614141000415'
const forms = ['MIX77', ...gs1Forms(gtin, 'MIX77').map(([, written]) => written)]
const writings = ['mix77', 'MIX 77', 'MIX-77', 'Mix\u201377']

describe('each reader finds all lines of a lot, whichever form is asked for', () => {
  let provider: TestProvider
  const ids: string[] = []
  beforeAll(async () => {
    provider = await service.provider()
    for (const written of forms) ids.push(await create(provider, [written, 'OTHER']))
    for (const written of writings) await create(provider, [written])
    await create(provider, ['(01)10614141000521(10)MIX77'])
  })
  const asked = ['MIX77', forms[1] ?? '', forms[6] ?? '', forms[9] ?? '', forms[12] ?? '']

  const sheet = async (query: string) => {
    const { headers, bytes } = await download(service, provider, `/traceability/fda-spreadsheet?format=csv&${query}`)
    const rows = textIn(bytes).trimEnd().split('\r\n').slice(1)
    return { rows: rows.length, records: headers.get('record-count') }
  }

  test.each(asked)('FDA’s sheet, by %j', async (lotCode) => {
    const query = `lotCode=${encodeURIComponent(lotCode)}`
    // The lot code alone names no item: the line of the other item is of it too.
    const same = readLotCode(lotCode).gtin === undefined ? forms.length + 1 : forms.length
    expect(await sheet(query)).toEqual({ rows: same, records: String(same) })
    expect((await sheet(`${query}&readAlike=true`)).rows).toBe(same + writings.length)
  })

  test('FDA’s package names the lot codes that read alike, and says whether their lines are in it', async () => {
    for (const [query, where] of [
      ['', 'No row here includes them.'],
      ['&readAlike=true', 'These lines are included as rows.'],
    ] as const) {
      const { bytes } = await download(service, provider, `/traceability/fda-package?lotCode=MIX77${query}`)
      const files = unzipped(bytes)
      const page = textIn(files['explanation.html'])
      for (const written of writings) expect(page).toContain(written)
      expect(page).toContain(where)
      const manifest = JSON.parse(textIn(files['manifest.json']))
      expect(manifest.readAlike.lines).toBe(writings.length)
      const [workbook] = Object.keys(files).filter((name) => name.endsWith('.xlsx'))
      const sheets = await readWorkbook(files[workbook ?? ''] as Uint8Array)
      expect(JSON.stringify(sheets.get('Introduction'))).toContain(where)
    }
  })

  test.each(asked)('EPCIS, by %j', async (lotCode) => {
    const { status, text } = await provider.call(
      'GET',
      `/traceability/epcis?perPage=100&lotCode=${encodeURIComponent(lotCode)}`,
    )
    expect(status, text).toBe(200)
    for (const id of ids) expect(text).toContain(id)
  })

  test('an archive that is brought in again', async () => {
    const copy = await service.provider()
    const reply = await importArchive(service, copy, await exported(provider))
    expect(reply.status, reply.text).toBe(200)
    const found = await trace(copy, `(01)${gtin}(10)MIX77`)
    expect(tracedCodes(found)).toEqual([...forms].sort())
    expect(alikeCodes(found)).toEqual([...writings].sort())
  })
})

test('any form of any lot finds all its lines, and any other writing is offered and never counted', async () => {
  await fc.assert(
    fc.asyncProperty(gs1LotCodes, gtins, fc.nat(), fc.boolean(), async (lotCode, item, n, together) => {
      const all = [lotCode, ...gs1Forms(item, lotCode).map(([, written]) => written)]
      const same = all.filter((written) => readLotCode(written).lotCode === lotCode)
      expect(same).toEqual(all)
      const others = [...new Set(otherWritings(lotCode))].filter(
        (written) => readLotCode(written).form === 'text' && written !== lotCode && written.trim() !== '',
      )
      const provider = await service.provider()
      const lines = [...all, ...others, 'SOMETHING ELSE']
      for (const some of together ? [lines] : lines.map((one) => [one])) await create(provider, some)
      const form = all[n % all.length] ?? ''
      const found = await trace(provider, form)
      expect(tracedCodes(found), form).toEqual([...all].sort())
      expect(alikeCodes(found), form).toEqual([...others].sort())
      const listed = await provider.call('GET', `${paths.receivingEvent}?limit=200&lotCode=${encodeURIComponent(form)}`)
      expect(listed.body.content, form).toHaveLength(together ? 1 : all.length)
    }),
    { numRuns: 12, endOnFailure: true },
  )
})
