// What FDA is told of corrections: which rows were replaced, when, and what they said before; and
// whom to ask.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function created(provider: TestProvider, edit: (event: Payload) => void): Promise<string> {
  const reply = await provider.call('POST', paths.receivingEvent, {
    body: eventPayload(({ eventList }) => {
      eventList.productList.length = 1
      edit(eventList)
    }),
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

async function replaced(
  provider: TestProvider,
  id: string,
  edit: (event: Payload) => void,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { body } = await provider.call('GET', `${paths.receivingEvent}/${id}`)
  edit(body.eventList)
  expect((await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body, headers })).status).toBe(200)
}

async function packed(provider: TestProvider, query: string) {
  const { status, bytes } = await download(service, provider, `/traceability/fda-package${query}`)
  expect(status).toBe(200)
  const files = unzipped(bytes)
  const named = (form: RegExp) => Object.entries(files).find(([name]) => form.test(name))?.[1]
  return {
    names: Object.keys(files),
    manifest: JSON.parse(textIn(files['manifest.json'])),
    explanation: textIn(files['explanation.html']),
    workbook: await readWorkbook(named(/\.xlsx$/) ?? new Uint8Array()),
    corrections: readCsv(textIn(named(/corrections.*\.csv$/)).slice(1)).slice(1),
    files,
  }
}

describe('a package', () => {
  test('of records as they were first submitted has no corrections, and says so', async () => {
    const provider = await service.provider()
    await created(provider, () => undefined)
    const { names, manifest, explanation, workbook } = await packed(provider, '')
    expect(names.filter((name) => /corrections/.test(name))).toEqual([])
    expect(workbook.has('Corrections')).toBe(false)
    expect(manifest.counts).toMatchObject({ correctedRecords: 0, corrections: 0 })
    expect(explanation).toContain('None of these records was replaced after it was first submitted.')
  })

  test('says of each replaced cell what it was and is, and when that was submitted', async () => {
    const provider = await service.provider()
    const id = await created(provider, ({ productList: [line] }) => {
      Object.assign(line, { caseLotNumber: 'WRONG-1', shipQuantity: 40 })
    })
    await created(provider, ({ productList: [line] }) => {
      line.caseLotNumber = 'OTHER'
    })
    await replaced(provider, id, ({ productList: [line] }) => {
      line.caseLotNumber = 'RIGHT-1'
    })
    await replaced(
      provider,
      id,
      ({ productList: [line] }) => {
        line.shipQuantity = 41
      },
      { 'change-reason': '"Counted again"' },
    )
    const versions = (await provider.call('GET', `${paths.receivingEvent}/${id}/versions`)).body.content
    const at = (version: number): string =>
      `${versions.find((one: Payload) => one.version === version).submittedDateTime.slice(0, 19)}Z`
    const expected = [
      [id, '2', at(2), '1', 'RIGHT-1', 'A', 'Traceability Lot Code', 'WRONG-1', 'RIGHT-1', ''],
      [id, '3', at(3), '1', 'RIGHT-1', 'B', 'Quantity', '40', '41', 'Counted again'],
    ]
    for (const query of ['', '?lotCode=RIGHT-1', '?gaps=true']) {
      const { manifest, explanation, workbook, corrections, names, files } = await packed(provider, query)
      expect(corrections).toEqual(expected)
      expect(workbook.get('Corrections')?.slice(1)).toEqual(expected)
      expect(manifest.counts).toMatchObject({ correctedRecords: 1, corrections: 2 })
      expect(explanation).toContain('<td>WRONG-1</td><td>RIGHT-1</td>')
      expect(explanation).toContain(names.find((name) => /corrections/.test(name)))
      for (const { name, sha256: told } of manifest.files) expect(sha256(files[name] ?? new Uint8Array())).toBe(told)
      expect(manifest.files.map(({ name }: Payload) => name)).toEqual(names.filter((name) => name !== 'manifest.json'))
    }
    expect((await packed(provider, '?lotCode=OTHER')).manifest.counts).toMatchObject({ corrections: 0 })
  })

  test('of more versions than one statement looks up has all of them, in order', async () => {
    const provider = await service.provider()
    const ids: string[] = []
    for (const lot of ['A', 'B'])
      ids.push(
        await created(provider, ({ productList: [line] }) => {
          line.caseLotNumber = lot
        }),
      )
    const { pool } = service.database
    // 700 versions of the first record, 3 of the second, as replacements would have left them.
    for (const [id, versions] of [
      [ids[0], 700],
      [ids[1], 3],
    ] as const) {
      await pool.query(
        `INSERT INTO record_version SELECT (json_populate_record(v, json_build_object('version', n, 'detail',
           ARRAY[replace(v.detail[1], '"shipQuantity":56', '"shipQuantity":' || (100 + n)), v.detail[2]]))).*
         FROM record_version v, generate_series(2, ${versions}) AS n WHERE v.provider_id = $1 AND v.record_id = $2`,
        [provider.id, id],
      )
      await pool.query('UPDATE record SET version = $3 WHERE provider_id = $1 AND id = $2', [provider.id, id, versions])
    }
    const { corrections } = await packed(provider, '')
    expect(corrections).toHaveLength(699 + 2)
    expect(corrections.slice(-3).map(([, version, , , , , , before, after]) => [version, before, after])).toEqual([
      ['700', '799', '800'],
      ['2', '56', '102'],
      ['3', '102', '103'],
    ])
  })
})

test('the contact is in the explanation, the workbook and the manifest', async () => {
  const provider = await service.provider()
  await created(provider, () => undefined)
  const contact = 'Ana <Lopez>, +1.614.555.0170'
  const { explanation, manifest, workbook } = await packed(provider, `?contact=${encodeURIComponent(contact)}`)
  expect(explanation).toContain('Ask Ana &lt;Lopez&gt;, +1.614.555.0170 of ')
  expect(manifest.contact).toBe(contact)
  expect(workbook.get('Introduction')).toContainEqual(['Contact', contact])
  expect((await packed(provider, '')).explanation).toContain(`Ask ${provider.name}, who keeps these records,`)
})
