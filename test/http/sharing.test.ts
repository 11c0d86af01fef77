// What a partner reads, by every operation that it may call, is what the rules of sharing say of the
// records there are, and nothing else: not in a body, header, count, file or finding. Source:
// decisions 0077, 0078.
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mayAs } from '../../src/contract/role.ts'
import { recountRounds } from '../../src/handlers/recount-rounds.ts'
import { type SharingCopier, sharingCopier } from '../../src/handlers/sharing-copier.ts'
import { catalogue, type OperationName } from '../../src/operations/catalogue.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { storeOn } from '../../src/store/store.ts'
import { addressOf, requestSamples } from '../samples/operation-requests.ts'
import { handlerContextOn } from '../support/handler-context.ts'
import { allowMs } from '../support/patience.ts'
import { type Payload, paths } from '../support/payloads.ts'
import { runs } from '../support/runs.ts'
import { type Call, calling, type Service, startServiceAlone, type TestProvider } from '../support/service.ts'
import {
  drawEvent,
  drawing,
  drawLocation,
  drawProduct,
  drawSharing,
  lots,
  marks,
  type Sharing,
  type StoredGln,
  seenOf,
  seenOfMasterData,
} from '../support/sharing-world.ts'

let service: Service
let copier: SharingCopier
let recounts: ReturnType<typeof recountRounds>
let context: ReturnType<typeof handlerContextOn>
const dropped: string[] = []
beforeAll(async () => {
  service = await startServiceAlone({ failedSignInsPerMinute: 0 })
  const report = (what: string) => void dropped.push(what)
  const store = storeOn(service.database.pool, (provider) => recounts.due(provider))
  context = handlerContextOn(service.database.pool, { reportDropped: report, store })
  recounts = recountRounds(context, report)
  copier = sharingCopier(context, false)
})
afterAll(async () => {
  await Promise.all([copier?.end(), recounts?.end()])
  await context?.changeListeners.end()
  await service?.close()
  expect(dropped).toEqual([])
})

type Kind = keyof typeof paths

/** A record of the provider, as the test wrote it. */
interface Written {
  readonly id: string
  /** Contents, and reasons of voids, in order. */
  readonly versions: Payload[]
}

interface Partner {
  readonly id: string
  readonly key: string
  readonly call: Call
  sharing: Sharing
}

interface World {
  readonly provider: TestProvider
  readonly administrator: Call
  readonly events: Written[]
  readonly partners: Partner[]
}

const good = async (reply: ReturnType<Call>): Promise<Payload> => {
  const { status, text, body } = await reply
  expect([200, 201], text.slice(0, 500)).toContain(status)
  return body
}

async function addPartner({ administrator, provider, partners }: World, sharing: Sharing): Promise<void> {
  const body = { name: `Partner ${partners.length}`, ...sharing }
  const { id } = await good(administrator('POST', '/partners', { body }))
  const { token } = await good(administrator('POST', `/partners/${id}/invitations`, { body: {} }))
  const { key } = await good(calling(service.url, token)('POST', '/invitations/accept', { body: {} }))
  partners.push({ id, key, call: calling(service.url, key), sharing })
  copier.due(provider.id)
}

type Random = ReturnType<typeof drawing>

/** One change of records, places or grants. */
async function change(world: World, random: Random): Promise<void> {
  const { provider, administrator, events, partners } = world
  const what = random.below(10)
  const event = events[random.below(events.length)]
  if (what < 3 || event === undefined) {
    const body = drawEvent(random)
    const [id] = (await good(provider.call('POST', paths.receivingEvent, { body }))).request_ids
    events.push({ id, versions: [body] })
  } else if (what < 5) {
    const { purchaseOrderNumber, eventDateTime } = event.versions[0].eventList
    const body = drawEvent(random, purchaseOrderNumber, eventDateTime)
    await good(provider.call('PUT', `${paths.receivingEvent}/${event.id}`, { body }))
    event.versions.push(body)
  } else if (what === 5) {
    if ('reason' in event.versions.at(-1)) return
    const body = { reason: drawProduct(random).productMasterDataList.itemDescription }
    await good(provider.call('POST', `${paths.receivingEvent}/${event.id}/void`, { body }))
    event.versions.push(body)
  } else if (what === 6) await store(provider.call, 'masterProduct', drawProduct(random))
  else if (what === 7) await store(provider.call, 'location', drawLocation(random))
  else {
    const partner = random.pick(partners)
    partner.sharing = drawSharing(random)
    const body = { name: partner.id, ...partner.sharing }
    await good(administrator('PUT', `/partners/${partner.id}`, { body }))
    copier.due(provider.id)
  }
}

/** Creates master data, or replaces what has its codes. */
async function store(call: Call, kind: 'masterProduct' | 'location', body: Payload): Promise<void> {
  const reply = await call('POST', paths[kind], { body })
  if (reply.status !== 409) return void (await good(Promise.resolve(reply)))
  await good(call('PUT', `${paths[kind]}/${reply.body.heldBy}`, { body }))
}

/** All records of a kind, by all pages. */
async function recordsOf(call: Call, kind: Kind, query = 'limit=3'): Promise<Payload[]> {
  const all: Payload[] = []
  for (let cursor = ''; ; ) {
    const reply = await call('GET', `${paths[kind]}?${query}${cursor}`)
    // A partner whose sharing is updated is told to come back.
    if (reply.status === 503) return [{ updating: true }]
    const { content, nextCursor } = await good(Promise.resolve(reply))
    all.push(...content)
    if (nextCursor === null) return all
    cursor = `&cursor=${nextCursor}`
  }
}

const withoutId = ({ id: _, ...record }: Payload): Payload => record
const sorted = (all: readonly Payload[]): string[] => all.map((one) => JSON.stringify(inOrder(one))).sort()

/** With the names of each object in order. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inOrder)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, inOrder(one)]),
        )
      : value

/** What a partner has to see. */
interface Seen {
  /** Current contents, without voided events. */
  readonly receivingEvent: readonly Payload[]
  readonly masterProduct: readonly Payload[]
  readonly location: readonly Payload[]
  /** By purchase order, which is one of its own for each event: every content that may be shown. */
  readonly versions: ReadonlyMap<string, readonly Payload[]>
  /** What master data that is shown was before. */
  readonly earlier: readonly Payload[]
}

async function seenBy({ sharing }: Partner, { provider, events }: World): Promise<Seen> {
  const [products, locations] = await Promise.all([
    recordsOf(provider.call, 'masterProduct'),
    recordsOf(provider.call, 'location'),
  ])
  const glns = new Map(
    locations.map(({ locationMasterList: at }) => [`${at.dataProviderVendorId} ${at.locationCode}`, at.gln ?? null]),
  )
  const glnOf: StoredGln = (vendor, code) => glns.get(`${vendor} ${code}`)
  const current: Payload[] = []
  const versions = new Map<string, readonly Payload[]>()
  const named = new Set<string>()
  for (const { versions: written } of events) {
    const contents = written.filter((one) => !('reason' in one))
    const last = contents.at(-1)
    const seen = seenOf(last, sharing, glnOf)
    if (seen === undefined) continue
    const mayBeSeen = contents.flatMap((one) => seenOf(one, sharing, glnOf) ?? [])
    versions.set(last.eventList.purchaseOrderNumber, mayBeSeen)
    // A voided event names nothing.
    if ('reason' in written.at(-1)) continue
    current.push(seen)
    const { dataProviderVendorId: vendor, shipFromLocationCode, shipToLocationCode, productList } = seen.eventList
    for (const code of [shipFromLocationCode, shipToLocationCode]) named.add(`location ${vendor} ${code}`)
    for (const line of productList)
      for (const item of [line.vendorItemCode, line.purchaserItemCode]) named.add(`product ${vendor} ${item}`)
  }
  const shownProducts = products.filter(({ productMasterDataList: of }) =>
    named.has(`product ${of.dataProviderVendorId} ${of.itemCode}`),
  )
  const shownLocations = locations.filter(({ locationMasterList: at }) =>
    named.has(`location ${at.dataProviderVendorId} ${at.locationCode}`),
  )
  const earlier = await Promise.all([
    ...shownProducts.map(({ id }) => versionsOf(provider.call, 'masterProduct', id)),
    ...shownLocations.map(({ id }) => versionsOf(provider.call, 'location', id)),
  ])
  const mask = (record: Payload) => seenOfMasterData(withoutId(record), sharing)
  return {
    receivingEvent: current,
    masterProduct: shownProducts.map(mask),
    location: shownLocations.map(mask),
    earlier: earlier.flat().map(mask),
    versions,
  }
}

const pollMs = () => allowMs(20_000)

const kinds: readonly Kind[] = ['receivingEvent', 'masterProduct', 'location']

/** Waits until the partner reads what it has to, and fails with the difference when it never does. */
const untilRight = async (partner: Partner, { administrator }: World, seen: Seen, at: string) => {
  const stateOf = async () => (await good(administrator('GET', `/partners/${partner.id}`))).state
  await expect.poll(stateOf, { timeout: pollMs(), interval: 100, message: at }).toBe('open')
  await expect
    .poll(
      async () =>
        Object.fromEntries(
          await Promise.all(
            kinds.map(async (kind) => [kind, sorted((await recordsOf(partner.call, kind)).map(withoutId))]),
          ),
        ),
      { timeout: pollMs(), interval: 100, message: at },
    )
    .toEqual(Object.fromEntries(kinds.map((kind) => [kind, sorted(seen[kind])])))
}

/** All text of an answer: its headers, and what is packed in its body. */
interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: string
}

const textIn = (bytes: Uint8Array): string =>
  bytes[0] === 0x50 && bytes[1] === 0x4b
    ? Object.values(unzipSync(bytes)).map(textIn).join('\n')
    : new TextDecoder().decode(bytes)

async function ask(key: string, address: string): Promise<Answer> {
  const response = await fetch(service.url + address, { headers: { authorization: `Bearer ${key}` } })
  return {
    status: response.status,
    text: textIn(new Uint8Array(await response.arrayBuffer())),
    headers: JSON.stringify([...response.headers]),
  }
}

/** What every reader of these records sees alike, whoever wrote them and how often. */
interface Reader {
  readonly key: string
  readonly call: Call
  /** Names of its records, by id. */
  readonly names: ReadonlyMap<string, string>
}

const nameOf = (kind: Kind, { eventList, productMasterDataList: of, locationMasterList: at }: Payload): string =>
  kind === 'receivingEvent'
    ? `event ${eventList.purchaseOrderNumber}`
    : kind === 'masterProduct'
      ? // Several products may have one code.
        `product ${of.dataProviderVendorId} ${of.itemCode} ${of.itemDescription}`
      : `location ${at.dataProviderVendorId} ${at.locationCode}`

async function readerOf(key: string): Promise<Reader> {
  const call = calling(service.url, key)
  const names = new Map<string, string>()
  for (const kind of kinds)
    for (const query of kind === 'receivingEvent' ? ['limit=3', 'limit=3&voided=only'] : ['limit=3'])
      for (const record of await recordsOf(call, kind, query)) names.set(record.id, nameOf(kind, record))
  return { key, call, names }
}

/** Contents of the versions that a key can read, a void as its reason. */
async function versionsOf(call: Call, kind: Kind, id: string): Promise<Payload[]> {
  const { content } = await good(call('GET', `${paths[kind]}/${id}/versions?limit=50`))
  const contents: Payload[] = []
  for (const { version, voidReason } of [...content].reverse())
    contents.push(
      voidReason === null
        ? withoutId(await good(call('GET', `${paths[kind]}/${id}/versions/${version}`)))
        : { reason: voidReason },
    )
  return contents
}

/**
 * Versions with something in them that the partner may not see of any version; and all versions by
 * purchase order. One from before more was shared shows less of its event than may be seen now.
 */
async function readVersions(reader: Reader, { events }: World, seen: Seen) {
  const all = new Map<string, Payload[]>()
  const strange: string[] = []
  for (const [id, name] of reader.names) {
    if (!name.startsWith('event ')) continue
    const purchaseOrder = name.slice('event '.length)
    const written = events.find(({ versions: [first] }) => first.eventList.purchaseOrderNumber === purchaseOrder)
    const reasons = (written?.versions ?? []).filter((one) => 'reason' in one)
    const fitting = [...(seen.versions.get(purchaseOrder) ?? []), ...reasons]
    const versions = await versionsOf(reader.call, 'receivingEvent', id)
    all.set(purchaseOrder, versions)
    strange.push(...sorted(versions.filter((version) => !fitting.some((one) => isWithin(version, one)))))
  }
  return { all, strange }
}

/** True when everything that is in one value is in the other as well, in the same order. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    const left = [...whole]
    return part.every((one) => {
      while (left.length > 0) if (isWithin(one, left.shift())) return true
      return false
    })
  }
  if (typeof part !== 'object' || typeof whole !== 'object' || part === null || whole === null) return part === whole
  return Object.entries(part).every(([name, one]) => isWithin(one, (whole as Payload)[name]))
}

/** A provider that stores, itself, just what the partner has to see. */
async function mirrorOf(seen: Seen, histories: ReadonlyMap<string, readonly Payload[]>): Promise<Reader> {
  const mirror = await service.provider()
  for (const [first, ...later] of histories.values()) {
    const [id] = (await good(mirror.call('POST', paths.receivingEvent, { body: first }))).request_ids
    for (const body of later)
      await good(
        'reason' in body
          ? mirror.call('POST', `${paths.receivingEvent}/${id}/void`, { body })
          : mirror.call('PUT', `${paths.receivingEvent}/${id}`, { body }),
      )
  }
  // Last, since events add to locations.
  for (const kind of ['masterProduct', 'location'] as const)
    for (const body of seen[kind]) await store(mirror.call, kind, body)
  const wanted = new Set(seen.location.map((record) => nameOf('location', record)))
  for (const { id, ...record } of await recordsOf(mirror.call, 'location'))
    if (!wanted.has(nameOf('location', record)))
      // Events that are voided have set it up here; in an account nothing names it.
      for (const table of ['location', 'record'])
        await service.database.pool.query(`DELETE FROM ${table} WHERE provider_id = $1 AND id = $2`, [mirror.id, id])
  recounts.due(mirror.id)
  return readerOf(await mirror.key('reader'))
}

/** What differs for reasons of its own: who and when, and what was judged when it was written. */
const ownFields = new Set([
  // Of the places of several vendors that have one code.
  'label',
  ...['nextCursor', 'submittedDateTime', 'keyId', 'keyName', 'findingCount', 'requestId', 'instance', 'payloadId'],
  ...[
    'version',
    'detail',
    'recounting',
    'madeDateTime',
    'creationDate',
    'recordTime',
    'time',
    'eventID',
    'correctiveEventIDs',
  ],
  // EPCIS completes each version with master data as it was when that was stored.
  ...['bizLocation', 'readPoint', 'sourceList', 'destinationList', 'bizTransactionList', 'quantityList'],
  ...['locationMasterList', 'productMasterDataList', 'notExpressed', 'identifiedBy'].map((name) => `lotkeeper:${name}`),
])

/** The event that a search shows for all that have a value: which one depends on the order of ids. */
const shownForAll = new Set(['id', 'dataProviderVendorId', 'dateReceived', 'name', 'voided'])

const comparable = (value: unknown, left: ReadonlySet<string>): unknown => {
  // Locations that an event set up in the mirror have its payload id as well.
  if (Array.isArray(value))
    return sorted(value.filter((one) => one?.kind !== 'payloadId').map((one) => comparable(one, left)) as Payload[])
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ownFields.has(name) && !left.has(name))
      .map(([name, one]) => [name, comparable(one, left)]),
  )
}

/** An answer without what differs by provider: ids by what they are of, times, names, hashes. */
function plainAnswer({ status, text }: Answer, { names }: Reader, isSearch: boolean): unknown {
  const plain = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => names.get(id) ?? 'id')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z\b/g, 'time')
  try {
    return { status, body: comparable(JSON.parse(plain), isSearch ? shownForAll : new Set()) }
  } catch {
    return { status, body: plain.split('\r\n').sort() }
  }
}

/**
 * Operations that tell of the key, the service or the order of writing, and versions of master data,
 * which the mirror has others of.
 */
const ofNoRecords: readonly string[] = [
  ...['readOwnKey', 'readSession', 'listLimits', 'readSettings', 'readLastFdaPackage', 'listListViews'],
  ...['listChanges', 'readNewestPosition', 'listCheckpoints', 'listSigningKeys'],
  ...['listMasterProductVersions', 'readMasterProductVersion', 'readMasterProductVersionFindings'],
  ...['listLocationVersions', 'readLocationVersion', 'readLocationVersionFindings'],
  // As it was judged with the master data of its time.
  'readReceivingEventVersionFindings',
]
/** Files whose text says when and by whom they were made; the same rows are compared as CSV. */
const files: readonly string[] = [
  'exportFdaPackage',
  'saveReceivingEventList',
  'saveMasterProductList',
  'saveLocationList',
]

const counts = '/traceability/completeness'
const lotFilters = lots.map((lot) => `lotCode=${encodeURIComponent(lot)}`)
const lists = [
  'total=true',
  ...lotFilters,
  'shipToLocationCode=L-1',
  'dataProviderVendorId=V-1',
  'hasGaps=true',
  'voided=only',
]
const lines = ['gaps=true', ...lotFilters, 'itemCode=I-1', 'dataProviderVendorId=V-2', 'shipToLocationCode=L-2']
/** Queries besides that of the sample. */
const queries: Partial<Record<OperationName, readonly string[]>> = {
  listReceivingEvents: lists,
  listMasterProducts: ['total=true', 'dataProviderVendorId=V-1'],
  listLocations: ['total=true', 'dataProviderVendorId=V-1'],
  listReceivingEventValues: ['dataProviderVendorId', 'shipToLocationCode', 'lotCode', 'itemCode'].map(
    (name) => `of=${name}`,
  ),
  search: [...lots.map((lot) => `text=${encodeURIComponent(lot)}`), 'text=V-', 'text=L-', 'text=I-', 'text=ZQ'],
  countFdaLines: lines.slice(1),
  exportFdaPackage: lines,
  exportFdaSpreadsheet: [...lines.slice(1).map((line) => `format=csv&${line}`), 'format=csv'],
  exportEpcis: ['perPage=50', ...lotFilters],
  readCompleteness: ['eventStartDate=2026-01-01&eventEndDate=2026-12-31', 'eventStartDate=2026-01-01&by=kde'],
  listGaps: ['eventStartDate=2026-01-01'],
  countEventsByDay: ['eventStartDate=2026-02-01&eventEndDate=2026-02-28'],
}

/** In place of the name of a record that is not the partner's. */
const unseenMark = 'unseen'

/** Every address that a key of a partner may read, about records of the reader and of nobody. */
function* addresses({ names }: Reader, unseen: readonly string[]): Generator<readonly [Operation, string, string]> {
  for (const operation of catalogue) {
    const name = operation.name as OperationName
    if (operation.method !== 'GET' || !mayAs('partner', operation.role) || operation.waits) continue
    const { subject, query } = requestSamples[name]
    const prefix = { receivingEvent: 'event ', masterProduct: 'product ', location: 'location ' }[subject as Kind]
    const subjects: (readonly [string, string])[] =
      subject === undefined
        ? [['', '']]
        : subject === 'lot'
          ? lots.map((lot) => [lot, ''] as const)
          : [
              ...[...names].filter(([, of]) => of.startsWith(prefix ?? '-')).map(([id, of]) => [id, of] as const),
              ...unseen.map((id) => [id, unseenMark] as const),
            ]
    const asked = [new URLSearchParams(query ?? {}).toString(), ...(queries[name] ?? [])]
    for (const [about, of] of subjects)
      for (const one of asked) yield [operation, addressOf(operation.path, about) + (one === '' ? '' : `?${one}`), of]
  }
}

const marksIn = (value: unknown): string[] => (JSON.stringify(value).match(marks) ?? []).map((one) => one.toLowerCase())

/** Asks everything of a partner and of its mirror. */
async function checkAnswers(partner: Partner, world: World, seen: Seen, at: string): Promise<void> {
  let reader = await readerOf(partner.key)
  let histories: ReadonlyMap<string, readonly Payload[]> = new Map()
  // Earlier versions are withdrawn after what is listed.
  const strangeVersions = async () => {
    reader = await readerOf(partner.key)
    const { all, strange } = await readVersions(reader, world, seen)
    histories = all
    return strange
  }
  await expect.poll(strangeVersions, { timeout: pollMs(), message: at }).toEqual([])
  const mirror = await mirrorOf(seen, histories)
  // Counts follow master data in the background.
  const areCounted = async () =>
    Promise.all([reader, mirror].map(async ({ call }) => (await good(call('GET', counts))).recounting))
  await expect.poll(areCounted, { timeout: pollMs(), message: at }).toEqual([null, null])
  const idsIn = new Map([...mirror.names].map(([id, name]) => [name, id]))
  expect([...reader.names.values()].sort(), at).toEqual([...mirror.names.values()].sort())
  const allowed = new Set(marksIn([seen, [...seen.versions], [...histories]]))
  const unseen = world.events
    .map(({ id }) => id)
    .filter((id) => !reader.names.has(id))
    .slice(0, 2)
  for (const [operation, address, of] of addresses(reader, unseen)) {
    const answer = await ask(partner.key, address)
    const leaked = marksIn([answer.headers, answer.text]).filter((one) => !allowed.has(one))
    expect(leaked, `${at}: ${address}`).toEqual([])
    // What was shared once is gone; what never was is unknown.
    if (of === unseenMark)
      expect([200, 404, 410].slice(operation.name.endsWith('Versions') ? 0 : 1), address).toContain(answer.status)
    if (of === unseenMark || ofNoRecords.includes(operation.name)) continue
    if (files.includes(operation.name)) continue
    if (operation.name === 'exportFdaSpreadsheet' && !address.includes('csv')) continue
    const isSearch = operation.name === 'search'
    const same = of === '' ? address : address.replace(idsOf(reader, of), idsIn.get(of) ?? 'none')
    const expected = plainAnswer(await ask(mirror.key, same), mirror, isSearch)
    expect(plainAnswer(answer, reader, isSearch), `${at}: ${address}`).toEqual(expected)
  }
}

const idsOf = ({ names }: Reader, wanted: string): string => [...names].find(([, name]) => name === wanted)?.[0] ?? ''

/** Rounds of changes of one provider. */
const rounds = 3
const worlds = Number(process.env.SHARING_WORLDS ?? runs(3, 1))

test(
  'every reading operation hands a partner exactly what is shared with it, after any changes of records, places and grants',
  async () => {
    const seed = Number(process.env.SHARING_SEED ?? 1)
    for (let world = 0; world < worlds; world++) {
      const random = drawing(seed * 1_000 + world)
      const provider = await service.provider()
      const administrator = calling(service.url, await provider.key('administrator'))
      const made: World = { provider, administrator, events: [], partners: [] }
      for (let i = 0; i < 4; i++) await change(made, { ...random, below: () => 0 })
      for (let i = 0; i < 3; i++) await addPartner(made, drawSharing(random))
      for (let round = 1; round <= rounds; round++) {
        for (let i = 2 + random.below(8); i > 0; i--) await change(made, random)
        for (const partner of made.partners) {
          const at = `world ${world} of seed ${seed}, round ${round}, ${partner.id}`
          const seen = await seenBy(partner, made)
          await untilRight(partner, made, seen, at)
          if (round === rounds) await checkAnswers(partner, made, seen, at)
        }
      }
    }
  },
  allowMs(worlds * 90_000),
)
