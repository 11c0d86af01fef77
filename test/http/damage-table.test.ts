// What every answer says of a damaged event: it names record and version, goes on without the
// event, or counts from search values, which the damage left whole. No answer has an older version.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exported } from '../support/files/archives.ts'
import { textIn, unzipped } from '../support/files/read-workbook.ts'
import { allowMs } from '../support/patience.ts'
import { eventPayload, type Payload, paths } from '../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const lot = 'LOT-1'
const [before, now] = ['OLDER-BOL', 'NEWER-BOL']

const event = (edit: (payload: Payload) => void = () => undefined): Payload =>
  eventPayload((payload) => {
    for (const line of payload.eventList.productList) line.caseLotNumber = lot
    edit(payload)
  })

interface World {
  readonly provider: TestProvider
  /** The event that is damaged, at version 2, and one beside it. */
  readonly id: string
  readonly beside: string
}

async function filled(): Promise<World> {
  const provider = await service.provider()
  const body = event(({ eventList }) => {
    eventList.billOfLadingNumber = before
  })
  const create = async (one: Payload): Promise<string> =>
    (await provider.call('POST', paths.receivingEvent, { body: one })).body.request_ids[0]
  const id = await create(body)
  body.eventList.billOfLadingNumber = now
  expect((await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
  const beside = await create(event())
  await exported(provider)
  return { provider, id, beside }
}

type Damage = (world: World) => Promise<void>
const inDatabase =
  (...texts: string[]): Damage =>
  async ({ provider, id }) => {
    for (const text of texts) {
      const { rowCount } = await service.database.pool.query(text, [provider.id, id])
      expect(rowCount).toBeGreaterThan(0)
    }
  }
const recordRowGone = 'the row of the record is gone'
const damages: Readonly<Record<string, Damage>> = {
  'the current version is gone': inDatabase(
    'DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2 AND version = 2',
  ),
  'all versions are gone': inDatabase('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2'),
  'the older version is put in the place of the current one': inDatabase(
    'DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2 AND version = 2',
    'UPDATE record_version SET version = 2 WHERE provider_id = $1 AND record_id = $2 AND version = 1',
  ),
  [recordRowGone]: inDatabase('DELETE FROM record WHERE provider_id = $1 AND id = $2'),
}

const select = 'eventStartDate=2026-01-01&eventEndDate=2026-12-31'

/** Answers with nothing of the event but its name: a problem, since they cannot go on without it. */
const ending: readonly string[] = [
  `${paths.receivingEvent}/ID`,
  `${paths.receivingEvent}/ID/versions/2`,
  `${paths.receivingEvent}/ID/findings`,
  '/lists/receiving-events/file?format=csv',
  '/lists/receiving-events/file?format=xlsx',
  `/traceability/lots/${lot}?format=csv`,
  `/traceability/fda-spreadsheet?${select}`,
  `/traceability/fda-spreadsheet?format=csv&${select}`,
  `/traceability/epcis?${select}`,
  `/traceability/scorecard-lines?dataProviderVendorId=V-1001&${select}`,
]
/** Answers with what is beside it, in which the event is named as missing. */
const goingOn: readonly string[] = [
  `${paths.receivingEvent}/ID/versions`,
  paths.receivingEvent,
  `${paths.receivingEvent}?lotCode=${lot}`,
  `/traceability/lots/${lot}`,
  `/traceability/lots/${lot}?format=svg`,
  `/traceability/fda-package?${select}`,
  '/search?text=ID',
  '/changes',
  '/archive',
]
/** Counts, of search values: the event counts as it was when it was whole. */
const counting: readonly string[] = [
  `/traceability/fda-lines?${select}`,
  `/traceability/completeness?${select}`,
  `/traceability/gaps?${select}`,
  `/traceability/scorecard?dataProviderVendorId=V-1001&${select}`,
  `/traceability/differences?${select}`,
]
/** Answers that read the rows of records, or one version alone: they leave the event out, or have its version. */
const withoutRecordRow: ReadonlySet<string> = new Set([
  `${paths.receivingEvent}/ID/versions/2`,
  `${paths.receivingEvent}/ID/versions`,
  '/lists/receiving-events/file?format=csv',
  '/lists/receiving-events/file?format=xlsx',
  `/traceability/scorecard-lines?dataProviderVendorId=V-1001&${select}`,
  paths.receivingEvent,
  `${paths.receivingEvent}?lotCode=${lot}`,
  '/search?text=ID',
  `/traceability/epcis?${select}`,
])

describe.each(Object.entries(damages))('%s:', (name, damage) => {
  const readBy = (paths: readonly string[]) =>
    name === recordRowGone ? paths.filter((path) => !withoutRecordRow.has(path)) : paths

  let world: World
  let key = ''
  beforeAll(async () => {
    world = await filled()
    await damage(world)
    key = await world.provider.key('administrator')
  })
  async function read(path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(service.url + path.replace('ID', world.id), {
      headers: { authorization: `Bearer ${key}` },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const isZip = response.headers.get('content-type') === 'application/zip'
    const text = isZip ? Object.values(unzipped(bytes)).map(textIn).join('\n') : new TextDecoder().decode(bytes)
    return { status: response.status, text }
  }

  test.each(readBy(ending))('GET %s names record and version, and returns nothing else', async (path) => {
    const { status, text } = await read(path)
    expect([status, JSON.parse(text).type], text).toEqual([500, '/docs/problems/damaged'])
    expect(JSON.parse(text).detail).toContain(`version 2 of record ${world.id}`)
  })

  test.each(readBy(goingOn))('GET %s goes on and names the record', async (path) => {
    const { status, text } = await read(path)
    expect(status, text.slice(0, 400)).toBe(200)
    expect(text).toContain(world.id)
    // An archive has older versions as such.
    if (path !== '/archive') expect(text).not.toContain(before)
  })

  test.each(counting)('GET %s has nothing of an older version', async (path) => {
    const { status, text } = await read(path)
    expect(status, text.slice(0, 400)).toBe(200)
    expect(text).not.toContain(before)
  })

  test('a trace advises to have it restored', async () => {
    const { notes } = JSON.parse((await read(`/traceability/lots/${lot}`)).text)
    expect(notes[0].remedy).toContain('lotkeeper doctor')
  })

  test('a mock recall finds and packs the rest, and fails with record and version', async () => {
    const { call } = world.provider
    const { headers } = await call('POST', '/mock-recalls', { body: { lotCode: lot } })
    const address = headers.get('location') ?? ''
    await expect
      .poll(async () => (await call('GET', address)).body.state, { timeout: allowMs(20_000) })
      .not.toBe('running')
    const { state, report } = (await call('GET', address)).body
    expect(state).toBe('failed')
    expect(report.failure).toContain(`version 2 of record ${world.id}`)
    expect([report.found.events, report.package]).toEqual([1, expect.objectContaining({ sha256: expect.any(String) })])
  })
})
