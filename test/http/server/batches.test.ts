// Requests that share a statement: each gets the answer it would have got alone.
// Source: decision 0024.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.provider()).call
})
afterAll(() => service?.close())

const at = (id: string) => `${paths.receivingEvent}/${id}`
const create = async (body: Payload): Promise<string> =>
  (await call('POST', paths.receivingEvent, { body })).body.request_ids[0]

test('mixed outcomes at once: replaced, unchanged, stale, unknown, taken, refused, created, each its own', async () => {
  const rounds = 8
  const held = eventPayload()
  const holder = await create(held)
  const jobs: {
    expected: number
    run: () => Promise<{ status: number; body: Payload }>
    check?: () => Promise<void>
  }[] = []
  for (let i = 0; i < rounds; i++) {
    const [replacedBody, sameBody, staleBody, takenBody] = [
      eventPayload(),
      eventPayload(),
      eventPayload(),
      eventPayload(),
    ]
    const [replaced, same, stale, taken] = [
      await create(eventPayload()),
      await create(sameBody),
      await create(staleBody),
      await create(takenBody),
    ]
    const { eventDateTime } = held.eventList
    jobs.push(
      {
        expected: 200,
        run: () => call('PUT', at(replaced), { body: replacedBody }),
        check: async () => expect((await call('GET', at(replaced))).body).toEqual({ id: replaced, ...replacedBody }),
      },
      {
        expected: 200,
        run: () => call('PUT', at(same), { body: sameBody }),
        check: async () => expect((await call('GET', `${at(same)}/versions`)).body.content).toHaveLength(1),
      },
      {
        expected: 412,
        run: () => call('PUT', at(stale), { body: eventPayload(), headers: { 'if-match': '"9"' } }),
        check: async () => expect((await call('GET', at(stale))).body).toEqual({ id: stale, ...staleBody }),
      },
      { expected: 404, run: () => call('PUT', at(randomUUID()), { body: eventPayload() }) },
      {
        expected: 409,
        run: () =>
          call('PUT', at(taken), { body: { ...takenBody, eventList: { ...takenBody.eventList, eventDateTime } } }),
        check: async () => expect((await call('GET', at(taken))).body).toEqual({ id: taken, ...takenBody }),
      },
      { expected: 422, run: () => call('PUT', at(replaced), { body: {} }) },
      { expected: 201, run: () => call('POST', paths.receivingEvent, { body: eventPayload() }) },
      { expected: 409, run: () => call('POST', paths.receivingEvent, { body: held }) },
      { expected: 201, run: () => call('POST', paths.masterProduct, { body: productPayload() }) },
    )
  }
  const replies = await Promise.all(jobs.map(({ run }) => run()))
  expect(replies.map(({ status }) => status)).toEqual(jobs.map(({ expected }) => expected))
  for (const { status, body } of replies) if (status === 409) expect(body.heldBy).toBe(holder)
  for (const { check } of jobs) await check?.()
})

test('writes of one record that come together are all kept, in the order of their versions', async () => {
  const id = await create(eventPayload())
  const bodies = Array.from({ length: 12 }, () => eventPayload())
  const replies = await Promise.all(bodies.map((body) => call('PUT', at(id), { body })))
  const versions = replies.map(({ headers }) => Number(headers.get('etag')?.replaceAll('"', '')))
  expect([...versions].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 2))
  for (const [i, version] of versions.entries())
    expect((await call('GET', `${at(id)}/versions/${version}`)).body).toEqual({ id, ...bodies[i] })
})

test('two records that move to one date time together: one gets there, also when they share a statement', async () => {
  for (let round = 0; round < 5; round++) {
    const bodies = [eventPayload(), eventPayload()]
    const ids = [await create(bodies[0]), await create(bodies[1])]
    const { eventDateTime } = eventPayload().eventList
    const replies = await Promise.all(
      ids.map((id, n) =>
        call('PUT', at(id), { body: { ...bodies[n], eventList: { ...bodies[n].eventList, eventDateTime } } }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('events that carry different contents of one location together: the last statement wins, and no content is lost', async () => {
  const { call: own } = await service.provider()
  const regions = Array.from({ length: 6 }, (_, n) => `region ${n}`)
  const replies = await Promise.all(
    regions.map((region) =>
      own('POST', paths.receivingEvent, {
        body: eventPayload((payload) => Object.assign(payload.locationMasterList[1], { region })),
      }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(regions.map(() => 201))
  const [location] = (await own('GET', `${paths.location}?locationCode=DC-07`)).body.content
  const versions = (await own('GET', `${paths.location}/${location.id}/versions`)).body.content
  const kept = await Promise.all(
    versions.map(
      async ({ version }: Payload) =>
        (await own('GET', `${paths.location}/${location.id}/versions/${version}`)).body.locationMasterList.region,
    ),
  )
  expect(kept.sort()).toEqual(regions)
})
