// Legal holds over HTTP, and what a purge leaves to be seen. Sources: decisions 0040, 0041.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { readSelected } from '../../../src/store/records/event-selection.ts'
import { deleteExpiredKeys } from '../../../src/store/records/idempotency-keys.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const now = new Date()
const year = (count: number) => yearsBefore(now, count)
const administratorOf = async (provider: TestProvider): Promise<Call> =>
  calling(service.url, await provider.key('administrator'))

async function purge({ id }: TestProvider): Promise<number> {
  let versions = 0
  for await (const step of purgeAllDue(service.database.pool, id, { before: year(2), now, retentionYears: 2 }))
    versions += step.versions.length
  return versions
}

/** The event was received in the year it was submitted in. */
const received =
  (years: number, edit: (event: Payload) => void = () => undefined) =>
  ({ eventList }: Payload) => {
    eventList.eventDateTime = `${year(years).toISOString().slice(0, 19)}Z`
    edit(eventList)
  }

/**
 * An event of five years ago, corrected a year later, with one lot code before and another after;
 * and one of it that is still young.
 */
async function agedEvents(provider: TestProvider, first = 'WRONG') {
  const withLot = (lot: string) => (event: Payload) => {
    event.productList = [{ ...event.productList[0], caseLotNumber: lot }]
  }
  const [old = '', young = ''] = await storeAged(service.database.pool, provider.id, [
    {
      kind: 'receivingEvent',
      versions: [
        { submittedAt: year(5), edit: received(5, withLot(first)) },
        { submittedAt: year(4), edit: received(5, withLot('RIGHT')) },
      ],
    },
    {
      kind: 'receivingEvent',
      versions: [
        { submittedAt: year(6), edit: received(6, withLot('OTHER')) },
        { submittedAt: year(4), edit: received(6, withLot('OTHER')) },
        { submittedAt: year(1), edit: received(6, withLot('OTHER')) },
      ],
    },
  ])
  return { old, young }
}

describe('a purged event', () => {
  let provider: TestProvider
  let old = ''
  let young = ''
  beforeAll(async () => {
    provider = await service.provider()
    ;({ old, young } = await agedEvents(provider))
    expect(await purge(provider)).toBe(3)
  })

  test('is gone from lists, counts, traces and exports; the others stay', async () => {
    const { call } = provider
    const ids = async (query: string) =>
      (await call('GET', `${paths.receivingEvent}?${query}`)).body.content.map(({ id }: Payload) => id)
    expect(await ids('')).toEqual([young])
    expect(await ids('lotCode=RIGHT')).toEqual([])
    expect((await call('GET', '/traceability/lots/RIGHT')).status).toBe(404)
    expect((await call('GET', '/traceability/lots/OTHER')).body.events).toHaveLength(1)
    const sheet = (await call('GET', '/traceability/fda-spreadsheet?format=csv')).text
    expect([sheet.includes('OTHER'), sheet.includes('RIGHT')]).toEqual([true, false])
  })

  test('returns 410 with the time of the purge to every read and replacement', async () => {
    const { call } = provider
    const at = `${paths.receivingEvent}/${old}`
    const replies = await Promise.all([
      call('GET', at),
      call('GET', at, { headers: { 'if-none-match': '"2"' } }),
      call('GET', `${at}/findings`),
      call('GET', `${at}/versions/1`),
      call('GET', `${at}/versions/2/findings`),
      call('PUT', at, { body: eventPayload() }),
      call('PUT', at, { body: eventPayload(), headers: { 'if-match': '"2"' } }),
      call('PUT', `${at}?dryRun=true`, { body: eventPayload() }),
    ])
    for (const { status, body } of replies) {
      expect(status).toBe(410)
      expect(body).toMatchObject({ type: '/docs/problems/purged', detail: expect.stringContaining(now.toISOString()) })
    }
    expect((await call('GET', `${paths.masterProduct}/${old}`)).status).toBe(404)
    expect((await call('GET', `${at}/versions/3`)).status).toBe(404)
  })

  test('still has its list of versions: time, key and content hash', async () => {
    const { content } = (await provider.call('GET', `${paths.receivingEvent}/${old}/versions`)).body
    expect(content).toEqual(
      [2, 1].map((version) => ({
        version,
        submittedDateTime: year(version === 2 ? 4 : 5).toISOString(),
        keyId: 'aged',
        keyName: null,
        payloadId: null,
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        findingCount: null,
        purgedDateTime: now.toISOString(),
        correction: null,
        shipNotice: null,
        reason: null,
        voidReason: null,
      })),
    )
  })

  test('is for another provider what it ever was: not there', async () => {
    const { call } = await service.provider()
    const at = `${paths.receivingEvent}/${old}`
    const addresses = [at, `${at}/findings`, `${at}/versions`, `${at}/versions/1`, `${at}/versions/1/findings`]
    for (const address of addresses) {
      const reply = await call('GET', address)
      expect([reply.status, reply.body.type]).toEqual([404, '/docs/problems/unknownRecord'])
    }
    expect((await call('PUT', at, { body: eventPayload() })).status).toBe(404)
  })

  test('of a record that stays: old versions are 410, the current one is as it was, and can be replaced', async () => {
    const { call } = provider
    const at = `${paths.receivingEvent}/${young}`
    const { content } = (await call('GET', `${at}/versions`)).body
    expect(content.map(({ purgedDateTime }: Payload) => purgedDateTime !== null)).toEqual([false, false, true])
    expect((await call('GET', `${at}/versions/1`)).status).toBe(410)
    expect((await call('GET', `${at}/versions/2`)).status).toBe(200)
    expect((await call('GET', at)).status).toBe(200)
  })

  test('EPCIS leaves purged versions out, and says how many', async () => {
    const { epcisBody } = (await provider.call('GET', '/traceability/epcis')).body
    const { eventList } = epcisBody.queryResults.resultsBody
    const received = eventList.filter(({ type }: Payload) => type === 'ObjectEvent')
    expect(received.map((event: Payload) => [event['lotkeeper:version'], event['lotkeeper:versionsPurged']])).toEqual([
      [2, 1],
      [3, undefined],
    ])
  })

  test('an export that had chosen it does not go on without it', async () => {
    const selected = [{ id: old, version: 2, lineCount: 1 }]
    const reading = readSelected(service.database.pool, provider.id, selected).next()
    await expect(reading).rejects.toThrow('purged after they had been chosen')
  })

  test('lets another event have its date time', async () => {
    const body = eventPayload(received(5))
    expect((await provider.call('POST', paths.receivingEvent, { body })).status).toBe(201)
  })
})

describe('a legal hold', () => {
  test('keeps what it covers from being purged, until it is lifted', async () => {
    const provider = await service.provider()
    const administrator = await administratorOf(provider)
    const { old } = await agedEvents(provider)
    const reply = await administrator('POST', '/legal-holds', { body: { reason: 'Recall', lotCode: 'WRONG' } })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ lotCode: 'WRONG', everything: false, liftedDateTime: null })
    expect(await purge(provider)).toBe(1)
    expect((await provider.call('GET', `${paths.receivingEvent}/${old}/versions/1`)).status).toBe(200)

    const onRecord = await provider.call('GET', `/legal-holds?recordId=${old}`)
    expect(onRecord.body.content).toEqual([reply.body])
    const lifted = await administrator('DELETE', `/legal-holds/${reply.body.id}`)
    expect(lifted.body.liftedDateTime).toMatch(/Z$/)
    expect((await administrator('DELETE', `/legal-holds/${reply.body.id}`)).body).toEqual(lifted.body)
    expect((await provider.call('GET', `/legal-holds?recordId=${old}`)).body.content).toEqual([])
    expect((await provider.call('GET', '/legal-holds?standing=true')).body.content).toEqual([])
    expect((await provider.call('GET', '/legal-holds')).body.content).toEqual([lifted.body])
    expect(await purge(provider)).toBe(2)
  })

  test.each([
    ['its lot code, where records have GS1 texts', 'WRONG', '(01)10614141000415(10)WRONG'],
    ['a GS1 text, where records have the lot code', 'https://id.gs1.org/01/10614141000415/10/WRONG', 'WRONG'],
    ['a lot code, where records have one that reads alike', 'WRONG', 'wr-ong'],
    ['a lot code, where records name it with others', 'W-12', 'W-11, W-12'],
    ['a lot code, where records have it in a range', 'W-12', 'W-11 thru W-19'],
    ['a lot code, where records have zeros and words around it', '12X', 'Lot no. 0012X (best by 3/4)'],
  ])('by %s keeps them', async (_what, held, written) => {
    const provider = await service.provider()
    const administrator = await administratorOf(provider)
    const { old } = await agedEvents(provider, written)
    const { body } = await administrator('POST', '/legal-holds', { body: { reason: 'Recall', lotCode: held } })
    await administrator('POST', '/legal-holds', { body: { reason: 'Another lot', lotCode: 'WRONG2' } })
    expect((await provider.call('GET', `/legal-holds?recordId=${old}`)).body.content).toEqual([body])
    expect(await purge(provider)).toBe(1)
    expect((await provider.call('GET', `${paths.receivingEvent}/${old}/versions/1`)).status).toBe(200)
  })

  test('is set and lifted in the access log', async () => {
    const provider = await service.provider()
    const administrator = await administratorOf(provider)
    const { keyId } = (await administrator('GET', '/keys/own')).body
    const { id } = (await administrator('POST', '/legal-holds', { body: { reason: 'Recall', everything: true } })).body
    await administrator('DELETE', `/legal-holds/${id}`)
    await administrator('DELETE', `/legal-holds/${id}`)
    const { content } = (await administrator('GET', `/access-log?who=${keyId}`)).body
    expect(content).toMatchObject([
      { operation: 'liftLegalHold', asked: { id }, ending: 'done' },
      { operation: 'setLegalHold', asked: { id, reason: 'Recall' }, ending: 'done' },
    ])
  })

  test.each([
    ['that holds nothing', { reason: 'x' }, 'Give at least one condition'],
    ['by a blank lot code', { reason: 'x', lotCode: ' ' }, 'lotCode is blank'],
    ['by everything and something', { reason: 'x', everything: true, lotCode: 'L' }, 'beside other conditions'],
    ['by what is no id', { reason: 'x', recordId: 'L' }, 'not the id of any record'],
    ['by the id of no record', { reason: 'x', recordId: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f' }, 'no record with id'],
    [
      'by dates in the wrong order',
      { reason: 'x', eventStartDate: '2026-02-01', eventEndDate: '2026-01-01' },
      'Swap them',
    ],
    ['without a reason', { everything: true }, '/reason'],
    ['with a field there is none of', { reason: 'x', lot: 'L' }, '/lot'],
  ])('is not set %s', async (_title, body, why) => {
    const reply = await (await administratorOf(await service.provider()))('POST', '/legal-holds', { body })
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining(why)])
  })

  test('is for administrators to change, and of their own provider', async () => {
    const provider = await service.provider()
    expect((await provider.call('POST', '/legal-holds', { body: { reason: 'x', everything: true } })).status).toBe(403)
    const { body } = await (await administratorOf(provider))('POST', '/legal-holds', {
      body: { reason: 'x', everything: true },
    })
    const other = await administratorOf(await service.provider())
    expect((await other('DELETE', `/legal-holds/${body.id}`)).status).toBe(404)
    expect((await other('GET', '/legal-holds')).body.content).toEqual([])
  })

  test('is listed page by page', async () => {
    const provider = await service.provider()
    const administrator = await administratorOf(provider)
    for (const lotCode of ['A', 'B', 'C'])
      await administrator('POST', '/legal-holds', { body: { reason: 'x', lotCode } })
    const first = (await provider.call('GET', '/legal-holds?limit=2')).body
    const second = (await provider.call('GET', `/legal-holds?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.content, ...second.content].map(({ lotCode }) => lotCode)).toEqual(['C', 'B', 'A'])
    expect((await provider.call('GET', '/legal-holds?cursor=abc')).status).toBe(400)
    expect((await provider.call('GET', '/legal-holds?recordId=abc')).status).toBe(400)
  })
})

describe('idempotency keys', () => {
  test('older than seven days are deleted by the next create with a key; younger ones stay', async () => {
    const provider = await service.provider()
    const { pool } = service.database
    const bodies = Object.fromEntries(['old', 'young', 'new'].map((key) => [key, eventPayload()]))
    const create = (key: string) =>
      provider.call('POST', paths.receivingEvent, { body: bodies[key], headers: { 'idempotency-key': key } })
    const keys = async () =>
      (
        await pool.query('SELECT idempotency_key AS key FROM idempotency_key WHERE provider_id = $1 ORDER BY key', [
          provider.id,
        ])
      ).rows.map(({ key }) => key)
    for (const key of ['old', 'young']) expect((await create(key)).status).toBe(201)
    const age = (key: string, interval: string) =>
      pool.query(
        `UPDATE idempotency_key SET created_at = now() - $3::interval WHERE provider_id = $1 AND idempotency_key = $2`,
        [provider.id, key, interval],
      )
    await age('old', '7 days 1 minute')
    await age('young', '6 days 23 hours')
    // Another process: this one has looked a moment ago.
    const other = await startService()
    const key = await provider.key('writer')
    const options = { body: bodies.new, headers: { 'idempotency-key': 'new' } }
    expect((await calling(other.url, key)('POST', paths.receivingEvent, options)).status).toBe(201)
    while ((await keys()).includes('old'));
    await other.close()
    expect(await keys()).toEqual(['new', 'young'])
    const again = await create('young')
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  })

  test('are deleted in batches, oldest first, of one provider', async () => {
    const [one, other] = [await service.provider(), await service.provider()]
    const { pool } = service.database
    for (const { id } of [one, other])
      await pool.query(
        `INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids, created_at)
         SELECT $1, 'key ' || n, 'x', '', '{}', now() - n * interval '1 day' FROM generate_series(1, 5) AS s (n)`,
        [id],
      )
    const before = new Date(now.getTime() - 2.5 * 86_400_000)
    expect(await deleteExpiredKeys(pool, one.id, before, 2)).toBe(2)
    expect(await deleteExpiredKeys(pool, one.id, before, 2)).toBe(1)
    const { rows } = await pool.query(
      'SELECT provider_id = $1 AS own, count(*)::integer AS keys FROM idempotency_key WHERE provider_id = ANY ($2) GROUP BY 1 ORDER BY 1',
      [one.id, [one.id, other.id]],
    )
    expect(rows).toEqual([
      { own: false, keys: 5 },
      { own: true, keys: 2 },
    ])
  })
})
