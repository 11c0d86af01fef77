// Everything a provider has can be taken away, checked by a stranger, and brought in elsewhere as
// it was.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventKindNames, isDeliveryKind } from '../../../src/contract/record-kinds.ts'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { exported, faultsIn, importArchive, type Line, linesOf } from '../../support/files/archives.ts'
import {
  changed,
  eventPayload,
  locationPayload,
  nextDateTime,
  paths,
  payloadOf,
  productPayload,
  shippingPayload,
} from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const lot = 'LOT-of-the-archive'

/**
 * A provider with records of all kinds, replaced, replaced back, set up by events, with findings,
 * odd spellings and a date time that changed hands.
 */
async function filled(): Promise<TestProvider> {
  const provider = await service.provider()
  const { call } = provider
  const create = async (path: string, body: unknown) => {
    const reply = await call('POST', path, { body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body.request_ids as string[]
  }
  const put = async (path: string, id: string | undefined, body: unknown) => {
    const reply = await call('PUT', `${path}/${id}`, { body })
    expect(reply.status, reply.text).toBe(200)
  }
  await create(paths.location, locationPayload())
  const [location] = await create(paths.location, locationPayload())
  await put(
    paths.location,
    location,
    locationPayload((payload) => changed.location(payload)),
  )
  const product = productPayload((payload) => {
    payload.payloadId = 'with "quotes" and\nlines'
  })
  const [productId] = await create(paths.masterProduct, product)
  await put(paths.masterProduct, productId, {
    ...product,
    productMasterDataList: { ...product.productMasterDataList, packSize: '9 x' },
  })
  await put(paths.masterProduct, productId, product)
  const listed = eventPayload((payload) => {
    payload.payloadId = 'a-list'
    payload.eventList = [payload.eventList, { ...payload.eventList, eventDateTime: nextDateTime() }]
    // Completed by an event in master data; a name with what has to be escaped.
    payload.locationMasterList[1].locationName = 'Käserei \u2028 "Döhler" \\ \u0001'
    for (const event of payload.eventList) event.productList[0].caseLotNumber = lot
  })
  const ids = await create(paths.receivingEvent, listed)
  // One with gaps, and a number spelt in its own way.
  const gappy = eventPayload((payload) => {
    payload.eventList.productList[0].caseLotNumber = undefined
    delete payload.locationMasterList[0].phoneNumber
    payload.locationMasterList[0].locationCode = 'GAPPY'
    payload.eventList.shipFromLocationCode = 'GAPPY'
    payload.eventList.eventDateTime = '2025-03-04T09:30:00-08:00'
  })
  await create(paths.receivingEvent, JSON.stringify(gappy).replace(/"shipQuantity":(\d+)/, '"shipQuantity":$1.0'))
  // The first event lets go of its date time, and another one takes it.
  const [first] = ids
  const { id: _, ...stored } = (await call('GET', `${paths.receivingEvent}/${first}`)).body
  const freed = stored.eventList.eventDateTime
  await put(paths.receivingEvent, first, {
    ...stored,
    eventList: { ...stored.eventList, eventDateTime: nextDateTime() },
  })
  await put(paths.receivingEvent, ids[1], { ...stored, eventList: { ...stored.eventList, eventDateTime: freed } })
  const shipped = shippingPayload((payload) => {
    payload.eventList.productList[0].caseLotNumber = lot
  })
  const [shippedId] = await create(paths.shippingEvent, shipped)
  changed.shippingEvent(shipped)
  await put(paths.shippingEvent, shippedId, shipped)
  for (const kind of eventKindNames) {
    if (isDeliveryKind(kind)) continue
    const body = payloadOf[kind]()
    const [id] = await create(paths[kind], body)
    changed[kind](body)
    await put(paths[kind], id, body)
  }
  return provider
}

/** What a provider is told of its records, by everything that reads. */
async function answersTo({ call }: TestProvider): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  const ask = async (path: string) => {
    const reply = await call('GET', path)
    // Since when counts wait for a recount is told by the clock of the account.
    delete reply.body.recounting
    // Names belong to the keys of an account, which no archive has.
    for (const version of reply.body.content ?? []) delete version.keyName
    answers[path] = { status: reply.status, etag: reply.headers.get('etag'), body: reply.body }
    return reply
  }
  for (const path of Object.values(paths)) {
    const { content } = (await ask(path)).body
    expect(content.length).toBeGreaterThan(0)
    for (const { id } of content) {
      await ask(`${path}/${id}`)
      await ask(`${path}/${id}/findings`)
      for (const { version } of (await ask(`${path}/${id}/versions`)).body.content) {
        await ask(`${path}/${id}/versions/${version}`)
        await ask(`${path}/${id}/versions/${version}/findings`)
      }
    }
  }
  await ask(`${paths.receivingEvent}?lotCode=${lot}`)
  await ask(`${paths.shippingEvent}?lotCode=${lot}`)
  await ask(`${paths.receivingEvent}?dataProviderVendorId=V-1001&purchaseOrderNumber=PO-1`)
  await ask(`/traceability/lots/${lot}`)
  await ask('/traceability/completeness?eventStartDate=2025-01-01&eventEndDate=2026-12-31')
  await ask('/traceability/gaps?eventStartDate=2025-01-01&eventEndDate=2026-12-31')
  await ask('/traceability/fda-spreadsheet?format=csv')
  return answers
}

/** Lines that have to be the same wherever the records are. */
const carriedLines = (archive: string): string[] => linesOf(archive).slice(1)

describe('an archive', () => {
  test('holds every version byte for byte, and a stranger can recompute every hash, root, link and signature', async () => {
    const provider = await filled()
    const archive = await exported(provider)
    expect(faultsIn(archive)).toEqual([])
    const lines: Line[] = linesOf(archive).map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ is: 'archive', provider: { id: provider.id, name: provider.name } })
    const versions = lines.filter(({ is }) => is === 'version')
    expect(lines.at(-1)).toEqual({
      is: 'end',
      records: versions.filter(({ version }) => version === 1).length,
      versions: versions.length,
      checkpoints: 1,
    })
    for (const [kind, path] of Object.entries(paths)) {
      const own = versions.filter((line) => line.kind === kind)
      expect(own.length).toBeGreaterThan(1)
      for (const line of own) {
        const { status, text } = await provider.call('GET', `${path}/${line.id}/versions/${line.version}`)
        expect(status).toBe(200)
        expect(text.replace(`{"id":"${line.id}",`, '{')).toBe(
          linesOf(archive)
            .find(
              (one) =>
                one.includes(line.versionHash) &&
                one.startsWith(`{"is":"version","kind":"${kind}","id":"${line.id}","version":${line.version},`),
            )
            ?.replace(/^.*?,"body":/s, '')
            .slice(0, -1),
        )
      }
    }
    expect(archive).toMatch(/"shipQuantity":\d+\.0/)
  })

  test('says the same when it is made again, and what was stored since comes behind it', async () => {
    const provider = await filled()
    const archive = await exported(provider)
    expect(carriedLines(await exported(provider))).toEqual(carriedLines(archive))
    await provider.call('POST', paths.masterProduct, { body: productPayload() })
    const later = await exported(provider)
    expect(faultsIn(later)).toEqual([])
    const [end, ...before] = carriedLines(archive).reverse()
    expect(end).toContain('"is":"end"')
    expect(carriedLines(later).slice(0, before.length)).toEqual(before.reverse())
  })

  test('of a provider without records is an archive all the same', async () => {
    const archive = await exported(await service.provider())
    expect(linesOf(archive).map((line) => JSON.parse(line).is)).toEqual(['archive', 'end'])
    const reply = await importArchive(service, await service.provider(), archive)
    expect(reply.body).toEqual({ checkpoints: 0, unfinished: false, ended: true })
  })

  test('brought into an empty account, every answer is what it was, and a new archive is the same line for line', async () => {
    const [from, to] = [await filled(), await service.provider()]
    const archive = await exported(from)
    const reply = await importArchive(service, to, archive)
    expect(reply.body).toEqual({ checkpoints: 1, unfinished: false, ended: true })
    expect(await answersTo(to)).toEqual(await answersTo(from))
    expect(carriedLines(await exported(to))).toEqual(carriedLines(archive))
  })

  test('after a purge still proves every version that was there, and brings the tombstones in as tombstones', async () => {
    const [from, to] = [await filled(), await service.provider()]
    const before: Line[] = linesOf(await exported(from)).map((line) => JSON.parse(line))
    // The clock of the purge is ahead.
    const now = new Date(Date.now() + 3 * 366 * 86_400_000)
    for await (const _ of purgeAllDue(service.database.pool, from.id, {
      before: yearsBefore(now, 2),
      now,
      retentionYears: 2,
    }));
    const archive = await exported(from)
    expect(faultsIn(archive)).toEqual([])
    const after: Line[] = linesOf(archive).map((line) => JSON.parse(line))
    const versionsIn = (lines: readonly Line[]) => lines.filter(({ is }) => is === 'version')
    expect(versionsIn(after).map(({ versionHash }) => versionHash)).toEqual(
      versionsIn(before).map(({ versionHash }) => versionHash),
    )
    const purged = versionsIn(after).filter((line) => line.purged)
    expect(purged.length).toBeGreaterThan(5)
    expect(purged.filter(({ body, findings }) => body !== undefined || findings !== undefined)).toEqual([])

    expect((await importArchive(service, to, archive)).body).toMatchObject({ ended: true })
    expect(carriedLines(await exported(to))).toEqual(carriedLines(archive))
    for (const { kind, id, version } of purged)
      expect((await to.call('GET', `${paths[kind as keyof typeof paths]}/${id}/versions/${version}`)).status).toBe(410)
    expect((await to.call('GET', paths.receivingEvent)).body.content).toEqual([])
  })

  test('after an import, records can be written as before, and their history continues', async () => {
    const [from, to] = [await filled(), await service.provider()]
    const archive = await exported(from)
    await importArchive(service, to, archive)
    const [event] = (await to.call('GET', paths.receivingEvent)).body.content
    const { id, ...content } = event
    const unchanged = await to.call('PUT', `${paths.receivingEvent}/${id}`, { body: content })
    const { version } = (await from.call('GET', `${paths.receivingEvent}/${id}/versions`)).body.content[0]
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([200, `"${version}"`])
    for (const { id: location, ...body } of (await to.call('GET', paths.location)).body.content)
      expect((await to.call('PUT', `${paths.location}/${location}`, { body })).headers.get('etag')).toBe(
        (await from.call('GET', `${paths.location}/${location}`)).headers.get('etag'),
      )
    changed.receivingEvent(content)
    const replaced = await to.call('PUT', `${paths.receivingEvent}/${id}`, { body: content })
    expect(replaced.headers.get('etag')).toBe(`"${version + 1}"`)
    const later = await exported(to)
    expect(faultsIn(later)).toEqual([])
    const checkpoints = linesOf(later)
      .map((line) => JSON.parse(line))
      .filter(({ is }) => is === 'checkpoint')
    expect(checkpoints.map(({ signedFor }) => signedFor)).toEqual([from.id, to.id])
  })

  test('sent twice, or again after it broke off, doubles nothing', async () => {
    const [from, to] = [await filled(), await service.provider()]
    const archive = await exported(from)
    const half = linesOf(archive).slice(0, -5).join('\n')
    expect((await importArchive(service, to, half)).body).toMatchObject({ ended: false })
    expect((await importArchive(service, to, archive, 3)).body).toMatchObject({ ended: true })
    expect((await importArchive(service, to, archive)).body).toMatchObject({ ended: true })
    expect(carriedLines(await exported(to))).toEqual(carriedLines(archive))
  })

  test('is not brought into an account that holds other records, which stay as they are', async () => {
    const [from, to] = [await filled(), await filled()]
    const before = await exported(to)
    expect((await importArchive(service, to, await exported(from))).body.type).toBe('/docs/problems/notEmpty')
    expect(carriedLines(await exported(to))).toEqual(carriedLines(before))
  })

  test('cannot be ended when something else was written to the account meanwhile', async () => {
    const [from, to] = [await filled(), await service.provider()]
    const lines = linesOf(await exported(from))
    await importArchive(service, to, lines.slice(0, 6).join('\n'))
    expect((await to.call('POST', paths.masterProduct, { body: productPayload() })).status).toBe(201)
    expect((await importArchive(service, to, lines.join('\n'))).status).toBe(422)
    expect((await to.call('GET', '/archive')).body.type).toBe('/docs/problems/importing')
  })

  test.each([
    ['a body', (line: string) => line.replace(/"itemDescription":"[^"]*/, '$&!')],
    ['a payload id', (line: string) => line.replace(/"payloadId":"a-list"/, '"payloadId":"b-list"')],
    ['findings', (line: string) => line.replace(/"findings":\[\["[^"]*/, '$&x')],
    ['a time', (line: string) => line.replace(/"submittedDateTime":"2/, '"submittedDateTime":"1')],
    ['who submitted it', (line: string) => line.replace(/"keyId":"./, '"keyId":"_')],
    ['the count under a checkpoint', (line: string) => line.replace(/"versionCount":/, '"versionCount":1')],
    // For another letter of base64: to Node a "_" is the "/" that a signature may begin with.
    [
      'a signature',
      (line: string) => line.replace(/"signature":"(.)/, (_, first) => `"signature":"${first === 'A' ? 'B' : 'A'}`),
    ],
  ])('altered in %s is refused, and a stranger sees it too', async (_what, alter) => {
    const [from, to] = [await filled(), await service.provider()]
    const lines = linesOf(await exported(from))
    const at = lines.findIndex((line, i) => i > 0 && alter(line) !== line)
    expect(at).toBeGreaterThan(0)
    const altered = lines.map((line, i) => (i === at ? alter(line) : line)).join('\n')
    expect((await importArchive(service, to, altered)).body).toMatchObject({
      status: 422,
      type: '/docs/problems/notFitting',
    })
    expect(faultsIn(altered).length).toBeGreaterThan(0)
  })

  test.each([
    ['a version is missing', (lines: string[]) => lines.filter((line) => !line.includes('"version":2,'))],
    [
      'a version stands twice, under another id',
      (lines: string[]) =>
        lines.flatMap((line) =>
          line.includes('"version":1,') ? [line, line.replace(/"id":"[^"]*"/, `"id":"${randomUUID()}"`)] : [line],
        ),
    ],
    ['the checkpoint is missing', (lines: string[]) => lines.filter((line) => !line.includes('"is":"checkpoint"'))],
    ['the end is missing', (lines: string[]) => lines.slice(0, -1)],
    ['no line is JSON', (lines: string[]) => lines.map((line, i) => (i === 0 ? line : line.slice(1)))],
  ])('in which %s does not come to its end', async (_what, alter) => {
    const [from, to] = [await filled(), await service.provider()]
    const reply = await importArchive(service, to, alter(linesOf(await exported(from))).join('\n'))
    expect(reply.body.ended).not.toBe(true)
    expect((await to.call('GET', '/archive')).status).toBe(409)
  })

  test('of a record replaced during the export contains its state at the beginning, and imports so', async () => {
    const from = await filled()
    const archive = await exported(from)
    // As if the record had been replaced between the checkpoint and its line.
    const late = archive.replaceAll(/,"current":true(,"completeness":\[[^\n]*?\])?(?=,"findings")/g, '')
    expect(late).not.toBe(archive)
    const to = await service.provider()
    expect((await importArchive(service, to, late)).body).toMatchObject({ ended: true })
    const [before, after] = [await answersTo(from), await answersTo(to)]
    expect(after).toEqual(before)
  })
})

describe('checkpoints', () => {
  test('are listed page by page, newest first, each with the key that signed it', async () => {
    const provider = await service.provider()
    for (let i = 0; i < 3; i++) {
      await provider.call('POST', paths.masterProduct, { body: productPayload() })
      await exported(provider)
    }
    const first = (await provider.call('GET', '/checkpoints?limit=2')).body
    const second = (await provider.call('GET', `/checkpoints?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.content, ...second.content].map(({ number }) => number)).toEqual([3, 2, 1])
    expect(second).toMatchObject({
      nextCursor: null,
      content: [{ previousHash: null, versionCount: 1, signedFor: provider.id }],
    })
    expect(first.content[0].previousHash).toBe(first.content[1].checkpointHash)
    const keys = (await provider.call('GET', '/signing-keys')).body
    expect(keys).toMatchObject({ nextCursor: null, content: [{ signingKeyId: first.content[0].signingKeyId }] })
    expect(keys.content[0].publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
  })

  test('and archives of one provider say nothing of another', async () => {
    const [from, other] = [await filled(), await service.provider()]
    await exported(from)
    expect((await other.call('GET', '/checkpoints')).body.content).toEqual([])
    expect((await other.call('GET', '/signing-keys')).body.content).toEqual([])
    expect(linesOf(await exported(other))).toHaveLength(2)
  })

  test('are not made when nothing is new', async () => {
    const provider = await filled()
    await exported(provider)
    await exported(provider)
    expect((await provider.call('GET', '/checkpoints')).body.content).toHaveLength(1)
  })
})
