// Many clients at once on a server that really works in parallel: versions contiguous, one winner,
// never a 500.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilItWaits } from '../../support/databases/lock-waits.ts'
import { eventPayload, locationPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

const clients = 32
let services: Service[]
beforeAll(async () => {
  // Two servers on one database: what holds within a process has to hold between two.
  services = [await startService(), await startService()]
})
afterAll(() => Promise.all((services ?? []).map((service) => service.close())))

/** One provider, called through both servers in turn. */
async function provider(): Promise<(n: number) => Call> {
  const [one, two] = services
  if (one === undefined || two === undefined) throw new Error('no services')
  const { key } = await one.provider()
  const { calling } = await import('../../support/servers/service.ts')
  const secret = await key('writer')
  const calls = [calling(one.url, secret), calling(two.url, secret)]
  return (n) => calls[n % 2] as Call
}

const at = (id: string) => `${paths.receivingEvent}/${id}`
const all = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: clients }, (_, n) => work(n)))
const versionsOf = async (call: Call, id: string): Promise<number[]> =>
  (await call('GET', `${at(id)}/versions?limit=200`)).body.content.map(({ version }: Payload) => version)
const countdown = (from: number) => Array.from({ length: from }, (_, i) => from - i)

describe(`${clients} clients`, () => {
  test('replacing one record: every write is a version, and the versions are contiguous', async () => {
    const call = await provider()
    const id = (await call(0)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    const bodies = Array.from({ length: clients }, () => eventPayload())
    const replies = await all((n) => call(n)('PUT', at(id), { body: bodies[n] }))
    expect(replies.map(({ status }) => status)).toEqual(Array(clients).fill(200))
    const tags = replies.map(({ headers }) => Number(headers.get('etag')?.replaceAll('"', '')))
    expect([...tags].sort((a, b) => b - a)).toEqual(countdown(clients + 1).slice(0, -1))
    expect(await versionsOf(call(0), id)).toEqual(countdown(clients + 1))
    for (const n of [0, 7, 31])
      expect((await call(1)('GET', `${at(id)}/versions/${tags[n]}`)).body).toEqual({ id, ...bodies[n] })
    expect((await call(0)('GET', at(id))).body).toEqual({ id, ...bodies[tags.indexOf(clients + 1)] })
  })

  test('replacing one record with other lot codes: the codes of its last version find it, and no others', async () => {
    const call = await provider()
    const id = (await call(0)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    const lotOf = (round: number, n: number) => `RACE-${round}-${n}`
    for (let round = 0; round < 5; round++) {
      const replies = await all((n) =>
        call(n)('PUT', at(id), {
          body: eventPayload(({ eventList }) => {
            for (const line of eventList.productList) line.caseLotNumber = lotOf(round, n)
          }),
        }),
      )
      expect(replies.map(({ status }) => status)).toEqual(Array(clients).fill(200))
      const last = (await call(0)('GET', at(id))).body.eventList.productList[0].caseLotNumber
      const found = await all(async (n) => {
        const lotCode = lotOf(round, n)
        return (await call(n)('GET', `${paths.receivingEvent}?lotCode=${lotCode}`)).body.content.map(() => lotCode)
      })
      expect(found.flat()).toEqual([last])
    }
  })

  test('replacing one record with one If-Match: exactly one wins, the others are stale', async () => {
    const call = await provider()
    const id = (await call(0)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    for (let version = 1; version <= 5; version++) {
      const headers = { 'if-match': `"${version}"` }
      const replies = await all((n) => call(n)('PUT', at(id), { body: eventPayload(), headers }))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(replies.filter(({ status }) => status === 412)).toHaveLength(clients - 1)
      for (const reply of replies) if (reply.status === 412) expect(reply.body.currentVersion).toBe(version + 1)
    }
    expect(await versionsOf(call(0), id)).toEqual(countdown(6))
  })

  test('replacing one record unless it is at the next version: exactly one wins, the others come too late', async () => {
    const call = await provider()
    const id = (await call(0)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    for (let version = 1; version <= 3; version++) {
      const headers = { 'if-none-match': `"${version + 1}"` }
      const replies = await all((n) => call(n)('PUT', at(id), { body: eventPayload(), headers }))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(replies.filter(({ status }) => status === 412)).toHaveLength(clients - 1)
    }
    expect(await versionsOf(call(0), id)).toEqual(countdown(4))
  })

  test('sending the same content to one record: one version at most', async () => {
    const call = await provider()
    const id = (await call(0)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    const body = eventPayload()
    const replies = await all((n) => call(n)('PUT', at(id), { body }))
    expect(replies.map(({ status, headers }) => [status, headers.get('etag')])).toEqual(
      Array(clients).fill([200, '"2"']),
    )
    expect(await versionsOf(call(0), id)).toEqual([2, 1])
  })

  test('voiding and replacing one record: every write is a version, and the last one says whether it is found', async () => {
    const call = await provider()
    const body = eventPayload()
    const { eventDateTime, productList } = body.eventList
    const id = (await call(0)('POST', paths.receivingEvent, { body })).body.request_ids[0]
    const lotOf = (round: number, n: number) => `VOID-RACE-${round}-${n}`
    for (let round = 0; round < 5; round++) {
      const replies = await all((n) =>
        n % 3 === 0
          ? call(n >> 1)('POST', `${at(id)}/void`, { body: { reason: `round ${round}` } })
          : call(n >> 1)('PUT', at(id), {
              body: eventPayload(({ eventList }) => {
                eventList.eventDateTime = eventDateTime
                eventList.productList = [{ ...productList[0], caseLotNumber: lotOf(round, n) }]
              }),
            }),
      )
      expect(replies.map(({ status }) => status)).toEqual(Array(clients).fill(200))
      const found = await Promise.all(
        ['', '&voided=only'].map(async (query) => {
          const { content } = (await call(0)('GET', `${paths.receivingEvent}?limit=200${query}`)).body
          return content.map((record: Payload) => record.id)
        }),
      )
      const { content: versions } = (await call(1)('GET', `${at(id)}/versions?limit=200`)).body
      expect(versions.map(({ version }: Payload) => version)).toEqual(countdown(versions.length))
      expect(found).toEqual(versions[0].voidReason === null ? [[id], []] : [[], [id]])
      // Each answer names a version of its own kind: what was answered took place.
      const voids = new Set(
        versions.filter((one: Payload) => one.voidReason !== null).map((one: Payload) => one.version),
      )
      const named = replies.map(({ headers }) => Number(headers.get('etag')?.replaceAll('"', '')))
      expect(named.map((version) => voids.has(version))).toEqual(named.map((_, n) => n % 3 === 0))
      // No void follows a void.
      for (const [i, { voidReason }] of versions.entries())
        if (voidReason !== null) expect(versions[i + 1].voidReason).toBeNull()
      const { eventList } = (await call(0)('GET', at(id))).body
      const traced = await all(async (n) => (await call(n)('GET', `/traceability/lots/${lotOf(round, n)}`)).status)
      const last = lotOf(round, 0).slice(0, -1)
      expect(traced.filter((status) => status === 200)).toHaveLength(versions[0].voidReason === null ? 1 : 0)
      expect(eventList.productList[0].caseLotNumber).toContain(last)
    }
    const { status, body: problem } = await call(0)('POST', paths.receivingEvent, { body })
    const isVoid = (await call(0)('GET', at(id))).headers.get('record-voided') === 'true'
    expect([status, problem.heldBy]).toEqual(isVoid ? [201, undefined] : [409, id])
  })

  test('voiding one record with one If-Match: exactly one wins, and without it there is one version', async () => {
    const call = await provider()
    const id = (await call(0)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    const body = { reason: 'a race' }
    const headers = { 'if-match': '"1"' }
    const replies = await all((n) => call(n)('POST', `${at(id)}/void`, { body, headers }))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(clients - 1)
    const again = await all((n) => call(n)('POST', `${at(id)}/void`, { body }))
    expect(again.map(({ status, headers }) => [status, headers.get('etag')])).toEqual(Array(clients).fill([200, '"2"']))
    expect(await versionsOf(call(0), id)).toEqual([2, 1])
  })

  test('creating the same event date time: exactly one record, and the others get its id', async () => {
    const call = await provider()
    const body = eventPayload()
    const replies = await all((n) => call(n)('POST', paths.receivingEvent, { body }))
    const winners = replies.filter(({ status }) => status === 201)
    expect(winners).toHaveLength(1)
    const [id] = winners[0]?.body.request_ids ?? []
    for (const reply of replies) if (reply.status !== 201) expect([reply.status, reply.body.heldBy]).toEqual([409, id])
    expect((await call(0)('GET', paths.receivingEvent)).body.content).toHaveLength(1)
  })

  test('moving different records to one event date time: exactly one gets there, the others stay as they were', async () => {
    const call = await provider()
    const originals = Array.from({ length: clients }, () => eventPayload())
    const ids = await all(
      async (n) => (await call(n)('POST', paths.receivingEvent, { body: originals[n] })).body.request_ids[0],
    )
    const { eventDateTime } = eventPayload().eventList
    const replies = await all((n) =>
      call(n)('PUT', at(ids[n]), {
        body: { ...originals[n], eventList: { ...originals[n].eventList, eventDateTime } },
      }),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(clients - 1)
    for (const [n, reply] of replies.entries())
      if (reply.status === 409) expect((await call(n)('GET', at(ids[n]))).body).toEqual({ id: ids[n], ...originals[n] })
  })

  test('replacing different records whose events carry the same locations in another order, with changes', async () => {
    const call = await provider()
    const ids = await all(
      async (n) => (await call(n)('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0],
    )
    for (let round = 0; round < 4; round++) {
      const replies = await all((n) =>
        call(n)('PUT', at(ids[n]), {
          body: eventPayload((payload) => {
            for (const location of payload.locationMasterList) location.region = `region ${round} ${n}`
            if (n % 2) payload.locationMasterList.reverse()
          }),
        }),
      )
      expect(replies.map(({ status }) => status)).toEqual(Array(clients).fill(200))
    }
    const locations = (await call(0)('GET', paths.location)).body.content
    expect(locations).toHaveLength(2)
    for (const { id } of locations) {
      const versions = (await call(0)('GET', `${paths.location}/${id}/versions?limit=200`)).body.content
      expect(versions.map(({ version }: Payload) => version)).toEqual(countdown(versions.length))
    }
  })

  test('a location that another statement changes while an event waits for it gets the version after that, and its row is at it', async () => {
    const [one] = services
    if (one === undefined) throw new Error('no service')
    const { id: provider, call } = await one.provider()
    const payload = eventPayload()
    const id = (await call('POST', paths.receivingEvent, { body: payload })).body.request_ids[0]
    const other = await one.database.pool.connect()
    const [location] = (await call('GET', paths.location)).body.content
    try {
      // Several times: PostgreSQL plans a prepared statement in another way after some runs.
      for (let version = 2; version <= 20; version += 2) {
        await other.query('BEGIN')
        // What another event does to the location, as far as this one waits for it.
        for (const sql of [
          `UPDATE location SET content = content || jsonb_build_object('region', 'other ${version}') WHERE provider_id = $1 AND id = $2`,
          `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
           SELECT provider_id, record_id, ${version}, kind, key_id, gen_random_uuid(), content_hash, detail
           FROM record_version WHERE provider_id = $1 AND record_id = $2 AND version = 1`,
          `UPDATE record SET version = ${version} WHERE provider_id = $1 AND id = $2`,
        ])
          await other.query(sql, [provider, location.id])
        const replacing = call('PUT', at(id), {
          body: {
            ...payload,
            locationMasterList: payload.locationMasterList.map((entry: Payload) => ({
              ...entry,
              region: `${version}`,
            })),
          },
        })
        await untilItWaits(one.database.pool, 'submitted AS (')
        await other.query('COMMIT')
        expect((await replacing).status).toBe(200)
        const { rows } = await one.database.pool.query(
          `SELECT r.version, (SELECT max(v.version) FROM record_version v WHERE v.provider_id = $1 AND v.record_id = $2) AS last
           FROM record r WHERE r.provider_id = $1 AND r.id = $2`,
          [provider, location.id],
        )
        expect(rows).toEqual([{ version: version + 1, last: version + 1 }])
      }
    } finally {
      other.release()
    }
  })

  test('replacing more records than share a statement, each with other content of one location: all are stored', async () => {
    const call = (await provider())(0)
    const payload = eventPayload()
    const events = Array.from({ length: 130 }, (_, n) => ({
      ...payload.eventList,
      eventDateTime: `2026-03-04T14:${String(n % 60).padStart(2, '0')}:${String(Math.floor(n / 60)).padStart(2, '0')}Z`,
    }))
    const body = { ...payload, eventList: events }
    const ids: string[] = (await call('POST', paths.receivingEvent, { body })).body.request_ids
    const replies = await Promise.all(
      events.map((eventList, n) => {
        const locationMasterList = payload.locationMasterList.map((one: Payload) => ({ ...one, region: `region ${n}` }))
        return call('PUT', at(ids[n] as string), { body: { ...payload, eventList, locationMasterList } })
      }),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const [location] = (await call('GET', paths.location)).body.content
    const versions = (await call('GET', `${paths.location}/${location.id}/versions?limit=200`)).body.content
    expect(versions).toHaveLength(131)
  })

  test('a replacement passes one of another record that waits, and those of one record stay in order', async () => {
    const [one] = services
    if (one === undefined) throw new Error('no service')
    const { id: provider, call } = await one.provider()
    const create = async (time: string) =>
      (await call('POST', paths.receivingEvent, { body: eventAt(time) })).body.request_ids[0] as string
    const eventAt = (time: string) =>
      eventPayload(({ eventList }) => {
        eventList.eventDateTime = `2026-03-04T${time}Z`
      })
    const [held, free] = [await create('14:00:00'), await create('15:00:00')]
    const other = await one.database.pool.connect()
    try {
      await other.query('BEGIN')
      await other.query('SELECT 1 FROM record WHERE provider_id = $1 AND id = $2 FOR UPDATE', [provider, held])
      const first = call('PUT', at(held), { body: eventAt('14:00:01') })
      await untilItWaits(one.database.pool, 'submitted AS (')
      const second = call('PUT', at(held), { body: eventAt('14:00:02') })
      expect((await call('PUT', at(free), { body: eventAt('15:00:01') })).status).toBe(200)
      await other.query('COMMIT')
      expect((await first).headers.get('etag')).toBe('"2"')
      expect((await second).headers.get('etag')).toBe('"3"')
    } finally {
      await other.query('ROLLBACK')
      other.release()
    }
  })

  test('creating the same location code: exactly one', async () => {
    const call = await provider()
    const body = locationPayload()
    const replies = await all((n) => call(n)('POST', paths.location, { body }))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(clients - 1)
  })
})
