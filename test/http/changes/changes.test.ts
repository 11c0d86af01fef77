// The feed of changes: one order that never changes, without holes, whoever reads it from wherever.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeListenersOfProviderMax } from '../../../src/handlers/changes/change-listeners.ts'
import { insertWebhook, moveWebhook, noLag, webhooksBehind } from '../../../src/store/changes/webhooks.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { drawWebhookKey } from '../../../src/webhooks/signature.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import { allowMs } from '../../support/patience.ts'
import { changed, eventPayload, type Payload, paths, payloadOf } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { startLimitedServer } from '../../support/servers/own-server.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

interface Change {
  readonly position: string
  readonly type: string
  readonly id: string
  readonly version: number
}

type Reader = Pick<TestProvider, 'call'>

async function page({ call }: Reader, query: Record<string, string | number> = {}) {
  const reply = await call('GET', `/changes?${new URLSearchParams(query as Record<string, string>)}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body as { readonly content: Change[]; readonly nextPosition: string }
}

/** All changes behind a position, in pages of this size. */
async function all(reader: Reader, after?: string, limit = 200, query: Record<string, string> = {}): Promise<Change[]> {
  const found: Change[] = []
  for (let from = after; ; ) {
    const { content, nextPosition } = await page(reader, { ...(from && { after: from }), limit, ...query })
    found.push(...content)
    if (nextPosition === from) return found
    from = nextPosition
  }
}

const words = (changes: readonly Change[]) => changes.map(({ type, id, version }) => `${type} ${id} ${version}`)

const now = async ({ call }: Reader): Promise<string> => (await call('GET', '/changes/now')).body.position

async function create({ call }: Reader, kind: keyof typeof paths, body: Payload = payloadOf[kind]()): Promise<string> {
  const reply = await call('POST', paths[kind], { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

async function replace({ call }: Reader, kind: keyof typeof paths, id: string, edit: (body: Payload) => void) {
  const { id: _, ...body } = (await call('GET', `${paths[kind]}/${id}`)).body
  edit(body)
  const reply = await call('PUT', `${paths[kind]}/${id}`, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply
}

const cancel = ({ call }: Reader, id: string) =>
  call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: 'twice' } })

/** Purges every event of the provider, however young it is. */
async function purgeAll({ id }: TestProvider): Promise<string[]> {
  const purged: string[] = []
  const before = new Date(Date.now() + 86_400_000)
  for await (const { versions } of purgeAllDue(service.database.pool, id, {
    before,
    now: new Date(),
    retentionYears: 2,
  }))
    purged.push(...versions.map(({ kind, id, version }) => `${kind}.purged ${id} ${version}`))
  return purged
}

describe('the order', () => {
  /** A history of every kind of change under several checkpoints, and what happened in it. */
  let provider: TestProvider
  let happened: string[]
  let whole: Change[]
  beforeAll(async () => {
    provider = await service.provider()
    happened = []
    for (let round = 0; round < 4; round++) {
      for (const kind of ['masterProduct', 'location', 'receivingEvent'] as const) {
        const id = await create(provider, kind)
        happened.push(`${kind}.created ${id} 1`)
        await replace(provider, kind, id, changed[kind])
        happened.push(`${kind}.replaced ${id} 2`)
        if (kind !== 'receivingEvent') continue
        // Brought back as it was, and voided again: what remains after a purge tells them apart.
        await cancel(provider, id)
        await replace(provider, kind, id, () => undefined)
        await cancel(provider, id)
        happened.push(...['voided', 'replaced', 'voided'].map((what, i) => `${kind}.${what} ${id} ${3 + i}`))
      }
      await now(provider)
    }
    whole = await all(provider)
  })

  test('has what happened, each once, with the versions of a record in their order', async () => {
    // Locations that the events set up stand beside those that were created.
    expect(words(whole)).toEqual(expect.arrayContaining(happened))
    expect(new Set(words(whole)).size).toBe(whole.length)
    const { rows } = await service.database.pool.query(
      'SELECT record_id, version FROM record_version WHERE provider_id = $1',
      [provider.id],
    )
    expect(whole.map(({ id, version }) => `${id} ${version}`).sort()).toEqual(
      rows.map(({ record_id, version }) => `${record_id} ${version}`).sort(),
    )
    for (const { id } of whole) {
      const versions = whole.filter((change) => change.id === id).map(({ version }) => version)
      expect(versions).toEqual(versions.map((_, i) => i + 1))
    }
  })

  test('is that of the archive: checkpoint by checkpoint, version by version', async () => {
    const lines = (await exported(provider)).split('\n').filter((line) => line.startsWith('{"is":"version"'))
    expect(lines.map((line) => JSON.parse(line)).map(({ id, version }) => `${id} ${version}`)).toEqual(
      whole.map(({ id, version }) => `${id} ${version}`),
    )
  })

  test('is the same from any position, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -1, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 12 }),
        async (at, size) => {
          expect(await all(provider, whole[at]?.position, size)).toEqual(whole.slice(at + 1))
        },
      ),
      { numRuns: runs(100) },
    )
  })

  test('stays what it was when versions are purged, and tells each purge once, behind everything', async () => {
    const before = await now(provider)
    const purged = await purgeAll(provider)
    expect(purged.length).toBeGreaterThan(0)
    const told = await all(provider, before)
    expect(words(told).sort()).toEqual(purged.sort())
    for (const change of told) expect(change).toHaveProperty('purgedDateTime')
    const after = await all(provider)
    // But for the reasons, which go with the content.
    expect(after).toEqual([...whole.map((change) => ({ ...change, reason: undefined })), ...told])
    expect(await all(provider, told[2]?.position, 3)).toEqual(told.slice(3))
    // What is imported from now on has tombstones only, and the archive is whole.
    const copy = await service.provider()
    expect((await importArchive(service, copy, await exported(provider))).body).toMatchObject({ ended: true })
    // A reader goes on at the other service where he was, and learns there what is gone.
    expect(words(await all(copy, whole.at(-1)?.position)).sort()).toEqual(purged.sort())
    expect(await all(copy, told.at(-1)?.position)).toHaveLength(purged.length)
  })
})

test('how many changes a webhook is behind is what it would read from there, and for how long the first waits', async () => {
  const provider = await service.provider()
  const { pool } = service.database
  const id = randomUUID()
  const settings = { url: 'https://erp.example.com/', description: null, types: [], payload: 'thin' } as const
  const filters = { dataProviderVendorId: null, shipToLocationCode: null, lotCode: null }
  const start = { position: '0-0', alertNumber: 0 }
  await insertWebhook(
    pool,
    { provider: provider.id, id, ...settings, ...filters, ...drawWebhookKey('v1'), ...start },
    commandLine,
  )
  expect(await webhooksBehind(pool, provider.id)).toEqual(new Map())
  const lagAt = async (position: string) => {
    await moveWebhook(pool, { provider: provider.id, id, position }, commandLine)
    return (await webhooksBehind(pool, provider.id)).get(id) ?? noLag
  }
  // Several checkpoints, with purges behind versions and alone.
  for (let round = 0; round < 3; round++) {
    await create(provider, 'receivingEvent')
    await now(provider)
    await purgeAll(provider)
    if (round > 0) await create(provider, 'masterProduct')
    await now(provider)
  }
  await pool.query(
    // Of one server and of a cluster: no function of a time zone with a column.
    'UPDATE record_version SET submitted_at = $2, purged_at = CASE WHEN purged_at IS NOT NULL THEN $3::timestamptz END WHERE provider_id = $1',
    [provider.id, new Date(Date.now() - 86_400_000), new Date(Date.now() - 3_600_000)],
  )
  const whole = await all(provider)
  expect(await lagAt('0-0')).toMatchObject({ changes: whole.length })
  for (const [i, { position }] of whole.entries()) {
    const { changes, seconds } = await lagAt(position)
    expect(changes, position).toBe(whole.length - i - 1)
    const next = whole[i + 1]
    const hours = next === undefined ? 0 : next.type.endsWith('.purged') ? 1 : 24
    expect(Math.floor(seconds / 3_600), position).toBe(hours)
  }
})

describe('a position', () => {
  test('of another account, or of a history that a backup has not, is told, with where to start', async () => {
    const [provider, other] = [await service.provider(), await service.provider()]
    for (const one of [provider, other]) await create(one, 'masterProduct')
    const after = await now(other)
    const reply = await provider.call('GET', `/changes?after=${after}`)
    expect(reply.status).toBe(410)
    expect(reply.body.detail).toMatch(/without after.*GET \/changes\/now/)
    await now(provider)
    expect((await provider.call('GET', `/changes?after=${after.replace(/^1-/, '9-')}`)).status).toBe(410)
    expect((await provider.call('GET', '/changes?after=MDE5YTNjMWU')).status).toBe(400)
  })

  test('of now is behind what was answered before it, and in front of what comes', async () => {
    const provider = await service.provider()
    expect(await page(provider)).toEqual({ content: [], nextPosition: '0-0' })
    expect(await now(provider)).toBe('0-0')
    await create(provider, 'masterProduct')
    const position = await now(provider)
    expect(await page(provider, { after: position })).toEqual({ content: [], nextPosition: position })
    const id = await create(provider, 'masterProduct')
    expect(words((await page(provider, { after: position })).content)).toEqual([`masterProduct.created ${id} 1`])
  })

  test('of earlier is found by a number of changes, and by a time', async () => {
    const provider = await service.provider()
    const earlier = async (query: string) => (await provider.call('GET', `/changes/now?${query}`)).body.position
    expect(await earlier('back=3')).toBe(await now(provider))
    for (let n = 0; n < 3; n++) await create(provider, 'masterProduct')
    // Asking for the newest position makes a checkpoint. This one gets an hour older.
    await now(provider)
    await service.database.pool.query({
      text: 'UPDATE checkpoint SET made_at = $2 WHERE provider_id = $1',
      values: [provider.id, new Date(Date.now() - 3_600_000)],
    })
    await create(provider, 'masterProduct')
    const whole = await all(provider)
    for (const back of [0, 1, 2, 4, 200])
      expect(await all(provider, await earlier(`back=${back}`)), `${back}`).toEqual(whole.slice(Math.max(0, 4 - back)))
    const between = new Date(Date.now() - 1_800_000).toISOString().replace(/\.\d+/, '')
    expect(await all(provider, await earlier(`dateTime=${between}`))).toEqual(whole.slice(3))
    expect(await earlier('dateTime=2020-01-01T00:00:00Z')).toBe(await now(await service.provider()))
    expect((await provider.call('GET', `/changes/now?back=1&dateTime=${between}`)).status).toBe(400)
  })

  test('shows nothing of another provider', async () => {
    const [provider, other] = [await service.provider(), await service.provider()]
    const id = await create(provider, 'location')
    expect(words(await all(provider))).toEqual([`location.created ${id} 1`])
    expect(await all(other)).toEqual([])
  })
})

test('a filter leaves out what does not match, tells what leaves it, and moves on', async () => {
  const provider = await service.provider()
  const vendor = 'V-FILTER'
  const product = await create(provider, 'masterProduct')
  const event = await create(
    provider,
    'receivingEvent',
    eventPayload(({ eventList }) => {
      eventList.dataProviderVendorId = vendor
      eventList.productList[0].caseLotNumber = '(01)10614141000415(10)FEED-1'
    }),
  )
  const asked = async (query: Record<string, string>, from?: string) => words(await all(provider, from, 1, query))
  expect(await asked({ dataProviderVendorId: vendor })).toContain(`receivingEvent.created ${event} 1`)
  expect(await asked({ dataProviderVendorId: vendor })).not.toContain(`masterProduct.created ${product} 1`)
  expect(await asked({ lotCode: 'FEED-1' })).toEqual([`receivingEvent.created ${event} 1`])
  expect(await asked({ lotCode: 'FEED-1', shipToLocationCode: 'nowhere' })).toEqual([])
  expect(await asked({ kind: 'masterProduct' })).toEqual([`masterProduct.created ${product} 1`])

  const before = await now(provider)
  await replace(provider, 'receivingEvent', event, ({ eventList }) => {
    eventList.productList[0].caseLotNumber = 'FEED-2'
  })
  for (const lotCode of ['FEED-1', 'FEED-2'])
    expect(await asked({ lotCode }, before)).toEqual([`receivingEvent.replaced ${event} 2`])
  await replace(provider, 'receivingEvent', event, changed.receivingEvent)
  expect(await asked({ lotCode: 'FEED-1' }, before)).toEqual([`receivingEvent.replaced ${event} 2`])
  const { content, nextPosition } = await page(provider, { after: before, lotCode: 'nothing has it' })
  expect(content).toEqual([])
  expect(nextPosition).toBe(await now(provider))

  const purged = await purgeAll(provider)
  const gone = purged.filter((one) => one.startsWith('receivingEvent'))
  expect((await asked({ lotCode: 'FEED-1' })).sort()).toEqual(gone.sort())
})

describe('a call that waits', () => {
  test('is answered when something happens, however it began', async () => {
    const provider = await service.provider()
    const waiting = page(provider, { wait: 30 })
    const id = await create(provider, 'masterProduct')
    const first = await waiting
    expect(words(first.content)).toEqual([`masterProduct.created ${id} 1`])
    const next = page(provider, { after: first.nextPosition, wait: 30, kind: 'location' })
    await replace(provider, 'masterProduct', id, changed.masterProduct)
    const place = await create(provider, 'location')
    expect(words((await next).content)).toEqual([`location.created ${place} 1`])
  })

  test('ends without a change when its time is over', async () => {
    const provider = await service.provider()
    await create(provider, 'masterProduct')
    const after = await now(provider)
    expect(await page(provider, { after, wait: 1 })).toEqual({ content: [], nextPosition: after })
  })

  test('has one of a bounded number of places, which it leaves with its caller', async () => {
    const provider = await service.provider()
    const key = await provider.key('reader')
    const left = new AbortController()
    const wait = (seconds: number, signal: AbortSignal | null = null) =>
      fetch(`${service.url}/changes?wait=${seconds}`, { signal, headers: { authorization: `Bearer ${key}` } })
    const crowd = Array.from({ length: changeListenersOfProviderMax + 1 }, () => wait(30, left.signal))
    const refused = await Promise.race(crowd)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await refused.json()).toMatchObject({ type: '/docs/problems/tooManyListeners' })
    // Others have places of their own, and who does not wait needs none.
    expect((await page(await service.provider(), { wait: 1 })).content).toEqual([])
    expect((await wait(0)).status).toBe(200)
    left.abort()
    await Promise.allSettled(crowd)
    await expect.poll(async () => (await wait(1)).status).toBe(200)
  })
})

describe('a stream', () => {
  /** The events of a stream until there are so many. */
  async function events(url: string, key: string, count: number, headers: Record<string, string> = {}, query = '') {
    const left = new AbortController()
    const response = await fetch(`${url}/changes${query}`, {
      signal: left.signal,
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('content-encoding')).toBeNull()
    let text = ''
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const found = () =>
      [...text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.+)\n\n/g)].map(([, id, event, data = '']) => ({
        id,
        event,
        data: JSON.parse(data) as Change,
      }))
    while (found().length < count) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) break
      text += value
    }
    left.abort()
    return found()
  }

  test('has the same changes in the same order, old ones and those that come, and goes on behind Last-Event-ID', async () => {
    const provider = await service.provider()
    const key = await provider.key('reader')
    const old = await create(provider, 'masterProduct')
    const coming = events(service.url, key, 3)
    await replace(provider, 'masterProduct', old, changed.masterProduct)
    await create(provider, 'location')
    const streamed = await coming
    const listed = await all(provider)
    expect(streamed.map(({ data }) => data)).toEqual(listed)
    expect(streamed.map(({ id }) => id)).toEqual(listed.map(({ position }) => position))
    expect(streamed.map(({ event }) => event)).toEqual(listed.map(({ type }) => type))
    const rest = await events(service.url, key, 1, { 'last-event-id': streamed[1]?.id ?? '' }, '?after=0-0')
    expect(rest.map(({ data }) => data)).toEqual(listed.slice(2))
  })

  test('has a change that the database lost as damaged, in its place, and so do the pages', async () => {
    const provider = await service.provider()
    const key = await provider.key('reader')
    for (let i = 0; i < 3; i++) await create(provider, 'masterProduct')
    const [first, lost, last] = await all(provider)
    await service.database.pool.query('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2', [
      provider.id,
      lost?.id,
    ])
    const streamed = await events(service.url, key, 3)
    expect(streamed.map(({ id }) => id)).toEqual([first?.position, lost?.position, last?.position])
    expect(streamed[1]).toMatchObject({ event: 'damaged', data: { type: 'damaged', id: lost?.id, version: 1 } })
    const resumed = await events(service.url, key, 1, { 'last-event-id': first?.position ?? '' })
    expect(resumed[0]).toMatchObject({ event: 'damaged', id: lost?.position })
    const named = [{ id: lost?.id, version: 1 }]
    for (const filter of ['', '&dataProviderVendorId=V-1001', '&kind=masterProduct', '&limit=2']) {
      const { body } = await provider.call('GET', `/changes?after=${first?.position}${filter}`)
      expect([filter, body.damaged]).toEqual([filter, named])
    }
    const { body } = await provider.call('GET', '/changes?limit=1')
    expect([body.content.length, body.damaged]).toEqual([1, undefined])
    // Who waits for a change is told at once, and not when his time is over.
    await service.database.pool.query('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2', [
      provider.id,
      last?.id,
    ])
    const began = performance.now()
    const waited = await provider.call('GET', `/changes?after=${lost?.position}&wait=30`)
    expect(waited.body).toMatchObject({ content: [], damaged: [{ id: last?.id, version: 1 }] })
    expect(performance.now() - began).toBeLessThan(allowMs(10_000))
  })

  test('ends when its time is over, and a reader who comes back behind the last position misses nothing and gets nothing twice', async () => {
    const provider = await service.provider()
    const key = await provider.key('reader')
    const { server, url } = await startLimitedServer(service.database.pool, { changeStreamMsMax: 200 })
    const written: string[] = []
    let isWriting = true
    const writing = (async () => {
      while (isWriting) written.push(await create(provider, 'masterProduct'))
    })()
    const read: Change[] = []
    /** Reads one stream to its end, which the service makes, and returns the id of its last event. */
    const readStream = async (lastId: string): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'last-event-id': lastId }
      const events = (await (await fetch(`${url}/changes`, { headers })).text()).split('\n\n')
      // Whoever is cut off in an event has not got it.
      expect(events.pop()).toBe('')
      for (const event of events) {
        const fields = new Map(event.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
        lastId = fields.get('id') ?? lastId
        if (fields.has('data')) read.push(JSON.parse(fields.get('data') ?? ''))
      }
      return lastId
    }
    let lastId = '0-0'
    try {
      for (let streams = 0; streams < 5 || read.length === 0; streams++) lastId = await readStream(lastId)
      isWriting = false
      await writing
      while (read.length < written.length) lastId = await readStream(lastId)
      expect(read).toEqual(await all(provider))
      expect(new Set(read.map(({ id }) => id))).toEqual(new Set(written))
    } finally {
      isWriting = false
      await writing
      await server.close()
    }
  })

  test('is refused as a page is: of another history, without a place, without a key', async () => {
    const provider = await service.provider()
    const stream = { headers: { accept: 'text/event-stream' } }
    expect((await provider.call('GET', '/changes?after=1-1-00000000', stream)).status).toBe(410)
    const last = await provider.call('GET', '/changes', { headers: { ...stream.headers, 'last-event-id': 'x' } })
    expect([last.status, last.body.detail]).toEqual([400, expect.stringContaining('Last-Event-ID')])
    expect((await calling(service.url, undefined)('GET', '/changes', stream)).status).toBe(401)
  })

  test('ends with the service, which does not wait for its reader', async () => {
    let looks = 0
    const own = await startService({}, (statement) => {
      if (statement === 'stateOfOrder') looks++
    })
    const provider = await own.provider()
    const after = await now(provider)
    const waiting = page(provider, { after, wait: 30 })
    // More than the one of the call itself: somebody waits.
    await expect.poll(() => looks).toBeGreaterThan(3)
    const response = await fetch(`${own.url}/changes`, {
      headers: { authorization: `Bearer ${await provider.key('reader')}`, accept: 'text/event-stream' },
    })
    await own.close()
    expect(await response.text()).toContain(`id: ${after}\n\n`)
    expect(await waiting).toEqual({ content: [], nextPosition: after })
  })
})
