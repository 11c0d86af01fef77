// A lot code that was corrected leads to the record: from the trace, in FDA's files, after an
// archive, and until it is purged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import { download } from '../../support/files/download.ts'
import { readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** A record whose versions have these lot codes, each on a line of its own. */
async function corrected(provider: TestProvider, ...versions: readonly (readonly string[])[]): Promise<string> {
  const [first = [], ...later] = versions
  const withLots = (payload: Payload, lots: readonly string[]) => {
    const [line] = payload.eventList.productList
    payload.eventList.productList = lots.map((caseLotNumber, i) => ({
      ...line,
      caseLotNumber,
      poLineNumber: String(i),
    }))
  }
  const reply = await provider.call('POST', paths.receivingEvent, {
    body: eventPayload((payload) => withLots(payload, first)),
  })
  expect(reply.status, reply.text).toBe(201)
  const id = reply.body.request_ids[0]
  for (const lots of later) {
    const { body } = await provider.call('GET', `${paths.receivingEvent}/${id}`)
    withLots(body, lots)
    expect((await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
  }
  return id
}

const trace = (provider: TestProvider, lotCode: string) =>
  provider.call('GET', `/traceability/lots/${encodeURIComponent(lotCode)}`)

/** What a trace of a lot code that no record has names instead. */
async function ledTo(provider: TestProvider, lotCode: string): Promise<readonly Payload[]> {
  const { status, body } = await trace(provider, lotCode)
  expect(status).toBe(404)
  for (const { id } of body.records ?? []) expect(body.detail).toContain(id)
  return body.records ?? []
}

describe('a lot code that a correction took away', () => {
  test('is answered with the record, the version that had it, and what it has now', async () => {
    const provider = await service.provider()
    const id = await corrected(provider, ['WRONG-1', 'STAYS'], ['RIGHT-1', 'STAYS'], ['RIGHT-1', 'STAYS', 'MORE'])
    const pointer = {
      kind: 'receivingEvent',
      id,
      lotCode: 'WRONG-1',
      version: 1,
      currentVersion: 3,
      voided: false,
      lotCodes: ['MORE', 'RIGHT-1', 'STAYS'],
    }
    expect(await ledTo(provider, 'WRONG-1')).toEqual([pointer])
    // In any form, and read alike.
    for (const asked of ['(01)10614141000415(10)WRONG-1', 'https://id.gs1.org/01/10614141000415/10/WRONG-1', 'wrong 1'])
      expect(await ledTo(provider, asked)).toEqual([pointer])
    expect(await ledTo(await service.provider(), 'WRONG-1')).toEqual([])
    expect(await ledTo(provider, 'NEVER')).toEqual([])
    const { body } = await trace(provider, 'RIGHT-1')
    expect(body.notes.filter(({ kind }: Payload) => kind === 'earlierLots')).toEqual([])
  })

  test('is noted in the trace of records that have it', async () => {
    const provider = await service.provider()
    await corrected(provider, ['SHARED'])
    const id = await corrected(provider, ['SHARED'], ['OTHER'])
    const { body } = await trace(provider, 'SHARED')
    expect(body.totals.events).toBe(1)
    expect(body.notes.find(({ kind }: Payload) => kind === 'earlierLots')).toMatchObject({
      message: expect.stringContaining(
        '1 record had such a lot code until a correction or a void: SHARED until version 1, now OTHER',
      ),
      events: [id],
    })
  })

  test('is counted once where one record had it in several spellings', async () => {
    const provider = await service.provider()
    await corrected(provider, ['SHARED'])
    await corrected(provider, ['Shared'], ['SHARED'], ['OTHER'])
    const { body } = await trace(provider, 'SHARED')
    expect(body.notes.find(({ kind }: Payload) => kind === 'earlierLots').message).toContain(
      '1 record had such a lot code until a correction or a void: SHARED until version 2, now OTHER, Shared until version 1, now OTHER.',
    )
  })

  test('that came back is found again without a note', async () => {
    const provider = await service.provider()
    await corrected(provider, ['BACK'], ['GONE'], ['BACK'])
    const { status, body } = await trace(provider, 'BACK')
    expect(status).toBe(200)
    expect(body.notes.filter(({ kind }: Payload) => kind === 'earlierLots')).toEqual([])
    expect(await ledTo(provider, 'GONE')).toMatchObject([{ version: 2, currentVersion: 3, lotCodes: ['BACK'] }])
  })

  test('leaves no trace where only its spelling changed', async () => {
    const provider = await service.provider()
    await corrected(provider, ['(01)10614141000415(10)SAME-1'], ['SAME-1'])
    const { rows } = await service.database.pool.query('SELECT * FROM earlier_lot_code WHERE provider_id = $1', [
      provider.id,
    ])
    expect(rows).toEqual([])
  })

  test("stands in FDA's files, with the record", async () => {
    const provider = await service.provider()
    const id = await corrected(provider, ['WRONG-1'], ['RIGHT-1'])
    const { bytes } = await download(service, provider, '/traceability/fda-package?lotCode=WRONG-1&lotCode=NEVER')
    const files = unzipped(bytes)
    const sentence = `Record ${id} had lot code WRONG-1 until version 1, now RIGHT-1.`
    expect(textIn(files['explanation.html'])).toContain(sentence)
    expect(JSON.parse(textIn(files['manifest.json'])).earlierLots).toEqual([
      {
        kind: 'receivingEvent',
        ...{ id, lotCode: 'WRONG-1', version: 1, currentVersion: 2, voided: false, lotCodes: ['RIGHT-1'] },
      },
    ])
    const workbook = await readWorkbook(Object.entries(files).find(([name]) => /xlsx$/.test(name))?.[1] ?? bytes)
    expect(workbook.get('Introduction')).toContainEqual(['Earlier lot code', expect.stringContaining(sentence)])
    expect(workbook.get('Receiving')).toHaveLength(1)
  })
})

test('an archive brings earlier lot codes with it, in whatever parts it is sent', async () => {
  const provider = await service.provider()
  const ids = [
    await corrected(provider, ['A-1', 'KEPT'], ['B-1', 'KEPT'], ['C-1']),
    await corrected(provider, ['A-1'], ['C-1'], ['A-1'], ['D-1']),
  ]
  const rowsOf = async ({ id }: TestProvider) =>
    (
      await service.database.pool.query(
        'SELECT id, code, unfolded, last_version FROM earlier_lot_code WHERE provider_id = $1 ORDER BY 1, 2, 3',
        [id],
      )
    ).rows
  const rows = await rowsOf(provider)
  expect(rows.map(({ id }) => ids.indexOf(id)).sort()).toEqual([0, 0, 0, 1, 1])
  const archive = await exported(provider)
  for (const linesAtOnce of [1, 3, 1_000]) {
    const other = await service.provider()
    expect((await importArchive(service, other, archive, linesAtOnce)).status).toBe(200)
    expect(await rowsOf(other)).toEqual(rows)
    expect(await ledTo(other, 'B-1')).toEqual(await ledTo(provider, 'B-1'))
  }
})

test('a lot code is forgotten with the last version that had it, and not before', async () => {
  const provider = await service.provider()
  const id = await corrected(provider, ['A-2'], ['B-2'], ['C-2'])
  const { body } = await provider.call('GET', `${paths.receivingEvent}/${id}/versions`)
  const [third] = body.content
  const before = new Date(third.submittedDateTime)
  for await (const _ of purgeAllDue(service.database.pool, provider.id, {
    before,
    now: new Date(),
    retentionYears: 2,
  }));
  const { content } = (await provider.call('GET', `${paths.receivingEvent}/${id}/versions`)).body
  expect(content.map(({ purgedDateTime }: Payload) => purgedDateTime !== null)).toEqual([false, false, true])
  expect(await ledTo(provider, 'A-2')).toEqual([])
  expect(await ledTo(provider, 'B-2')).toMatchObject([{ id, version: 2 }])
})
