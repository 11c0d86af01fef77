// The store on one database: single statements as they are, and the busy ones grouped.
import { asksNothing, type FactsAsk, findFacts, noStoredFacts, type StoredFacts } from './facts.ts'
import { Grouped, type GroupLimits } from './grouped.ts'
import { KeysLetGo } from './idempotency-keys.ts'
import { KnownTimeZones } from './known-time-zones.ts'
import { type LocationSearch, locationStatements } from './locations.ts'
import { masterProductStatements, type ProductSearch } from './master-products.ts'
import { type EventSearch, receivingEventStatements } from './receiving-events.ts'
import { type RecordAsk, readRecords } from './record-versions.ts'
import type { RecountDue } from './recounts.ts'
import { noteRefusals, type RefusalNote } from './refusals.ts'
import type { Queryable, StoredVersion, Tombstone } from './statement.ts'
import type { Created, Creation, RecordStatements, Replaced, Replacement } from './writes.ts'

/** Writes records of one kind; concurrent writes of a provider share statements, and each is answered once it is durable. */
export interface RecordWriter<Search> {
  readonly create: (provider: string, creation: Creation<Search>) => Promise<Created>
  readonly replace: (provider: string, replacement: Replacement<Search>) => Promise<Replaced>
}

export interface Store {
  /** For statements that are not grouped. */
  readonly db: Queryable
  readonly receivingEvents: RecordWriter<EventSearch>
  readonly masterProducts: RecordWriter<ProductSearch>
  readonly locations: RecordWriter<LocationSearch>
  readonly timeZones: KnownTimeZones
  readonly findFacts: (provider: string, ask: FactsAsk) => Promise<StoredFacts>
  /** Keeps a refusal; many that come together share a statement. */
  readonly noteRefusal: (provider: string, note: RefusalNote) => Promise<void>
  /** Told after a create with an Idempotency-Key: lets go of old ones now and then. */
  readonly letGoOfKeys: (provider: string, now: Date) => Promise<void>
  readonly readRecord: (provider: string, ask: RecordAsk) => Promise<StoredVersion | Tombstone | undefined>
  /** What is grouped, by name, for those who watch it. */
  readonly groups: Readonly<Record<string, GroupState>>
}

/** How a group stands, and what it has done so far. */
type GroupState = Pick<Grouped<unknown, unknown>, 'waiting' | 'rows' | 'refused'>

const megabyte = 1024 * 1024

/** Writes of one provider that wait, and bytes of all writes that wait, in one process. */
export const waitingWritesMax = 4_096
export const waitingBytesMax = 64 * megabyte

const writeLimits: GroupLimits = {
  rowsMax: 128,
  bytesMax: 4 * megabyte,
  waitingRowsMax: waitingWritesMax,
  waitingBytesMax,
  // With two, statements hold half as many: an eighth less at 64 connections, a quarter less at 16, and p99 half as long again.
  inFlightMax: 1,
}
/** Refusals kept per provider; the oldest make way. */
const refusalsKept = 1_000

const readLimits: GroupLimits = { ...writeLimits, rowsMax: 64, inFlightMax: 4 }

/** `recountDue` is told of each write after which events are to be counted again. */
export function storeOn(db: Queryable, recountDue: RecountDue = () => undefined): Store {
  const facts = new Grouped<FactsAsk, StoredFacts>({
    run: (provider, asks) => findFacts(db, provider, asks),
    bytesOf: ({ locations, items }) => 200 * (1 + locations.length + items.length),
    holds: () => [],
    limits: readLimits,
  })
  const records = new Grouped<RecordAsk, StoredVersion | Tombstone | undefined>({
    run: (provider, asks) => readRecords(db, provider, asks),
    bytesOf: () => 100,
    holds: () => [],
    limits: readLimits,
  })
  const refusals = new Grouped<RefusalNote, void>({
    run: async (provider, notes) => {
      await noteRefusals(db, provider, notes, refusalsKept)
      return notes.map(() => undefined)
    },
    bytesOf: ({ findings, detail }) => findings.length + detail.length,
    holds: () => [],
    limits: writeLimits,
  })
  const keys = new KeysLetGo(db)
  const receivingEvents = writerOf(receivingEventStatements(db, recountDue), ({ dataProviderVendorId, locations }) =>
    locations.map(({ locationCode, content }) => [`location ${dataProviderVendorId}\u0000${locationCode}`, content]),
  )
  const masterProducts = writerOf(masterProductStatements(db, recountDue), () => [])
  const locations = writerOf(locationStatements(db, recountDue), ({ dataProviderVendorId, locationCode }) => [
    [`code ${dataProviderVendorId}\u0000${locationCode}`, Symbol(locationCode)],
  ])
  return {
    db,
    timeZones: new KnownTimeZones(db),
    letGoOfKeys: (provider, now) => keys.after(provider, now),
    noteRefusal: (provider, note) => refusals.ask(provider, note),
    receivingEvents: receivingEvents.writer,
    masterProducts: masterProducts.writer,
    locations: locations.writer,
    findFacts: async (provider, ask) => (asksNothing(ask) ? noStoredFacts : facts.ask(provider, ask)),
    readRecord: (provider, ask) => records.ask(provider, ask),
    groups: {
      createReceivingEvents: receivingEvents.create,
      replaceReceivingEvents: receivingEvents.replace,
      createMasterProducts: masterProducts.create,
      replaceMasterProducts: masterProducts.replace,
      createLocations: locations.create,
      replaceLocations: locations.replace,
      noteRefusals: refusals,
      readRecords: records,
      findFacts: facts,
    },
  }
}

/** `shared` are the names the search values of a record hold, besides its id: see `Grouping.holds`. */
function writerOf<Search>(
  statements: RecordStatements<Search>,
  shared: (search: Search) => readonly (readonly [string, unknown])[],
) {
  const create = new Grouped<Creation<Search>, Created>({
    run: statements.create,
    bytesOf: ({ records }) => records.reduce((sum, { body }) => sum + body.length, 0),
    holds: ({ records, claim, requestId }) => [
      ...records.flatMap(({ search }) => shared(search)),
      ...(claim === undefined ? [] : [[`claim ${claim.key}`, requestId] as const]),
    ],
    limits: writeLimits,
  })
  const replace = new Grouped<Replacement<Search>, Replaced>({
    run: statements.replace,
    bytesOf: ({ record }) => record.body.length,
    holds: ({ record, requestId }) => [[`record ${record.id}`, requestId], ...shared(record.search)],
    limits: writeLimits,
  })
  const writer: RecordWriter<Search> = {
    create: (provider, creation) => create.ask(provider, creation),
    replace: (provider, replacement) => replace.ask(provider, replacement),
  }
  return { writer, create, replace }
}
