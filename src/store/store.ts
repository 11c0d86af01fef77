// The store on one database: single statements, with frequent ones grouped.
import { type EventKindName, ofEventKinds } from '../contract/record-kinds.ts'
import { declareLimit } from '../limits.ts'
import { BatchedStatement, type BatchLimits } from './database/batched-statement.ts'
import type { Queryable, StoredVersion, Tombstone } from './database/statement.ts'
import { noteAccesses, type WholeAccess } from './evidence/access-log.ts'
import { events } from './records/event-kinds.ts'
import type { EventSearch } from './records/event-rows.ts'
import { copiedEvents as copiedEventKind, writtenEvents } from './records/events.ts'
import { asksNothing, type FactsRequest, findFactsOfMany, noStoredFacts, type StoredFacts } from './records/facts.ts'
import { IdempotencyKeyExpiry } from './records/idempotency-keys.ts'
import { KnownTimeZones } from './records/known-time-zones.ts'
import { type LocationSearch, locations as locationKind } from './records/locations.ts'
import { masterProducts as masterProductKind, type ProductSearch } from './records/master-products.ts'
import { type RecordRequest, readRecords } from './records/record-versions.ts'
import { type RecordWriter, recordWriter, type WriteDue } from './records/record-writer.ts'
import { type RecordedRefusal, recordRefusals } from './records/refusals.ts'
import { type Voided, type Voiding, voider } from './records/voids.ts'

export interface Store extends Queryable {
  readonly events: Readonly<Record<EventKindName, RecordWriter<EventSearch>>>
  /** Writes copies into accounts. A key that is taken is an error of the database. */
  readonly copiedEvents: RecordWriter<EventSearch>
  readonly masterProducts: RecordWriter<ProductSearch>
  readonly locations: RecordWriter<LocationSearch>
  readonly timeZones: KnownTimeZones
  /** Called after a create with an Idempotency-Key. Deletes expired keys from time to time. */
  readonly deleteExpiredKeys: (provider: string, now: Date) => Promise<void>
  /** Grouped statements: requests that come together share one. */
  readonly groups: Readonly<Record<string, GroupState>> & {
    readonly findFacts: BatchedStatement<FactsRequest, StoredFacts>
    readonly readRecords: BatchedStatement<RecordRequest, StoredVersion | Tombstone | undefined>
    readonly noteRefusals: BatchedStatement<RecordedRefusal, void>
    readonly noteAccesses: BatchedStatement<WholeAccess, void>
  }
  readonly voiders: Readonly<Record<EventKindName, BatchedStatement<Voiding, Voided>>>
}

/** State and counters of a batched statement. */
type GroupState = Pick<BatchedStatement<unknown, unknown>, 'waiting' | 'rows' | 'refused'>

/** Stored facts about the values of a payload. */
export const findFacts = async ({ groups }: Store, provider: string, request: FactsRequest): Promise<StoredFacts> =>
  asksNothing(request) ? noStoredFacts : groups.findFacts.submit(provider, request)

/**
 * The current record, or its tombstone; undefined where the provider has none of this kind with
 * this id.
 */
export const readRecord = ({ groups }: Store, provider: string, request: RecordRequest) =>
  groups.readRecords.submit(provider, request)

/** Voids an event. */
export const voidEvent = (
  { voiders }: Store,
  kind: EventKindName,
  provider: string,
  voiding: Voiding,
): Promise<Voided> => voiders[kind].submit(provider, voiding)

/** Stores a refusal. */
export const recordRefusal = ({ groups }: Store, provider: string, note: RecordedRefusal) =>
  groups.noteRefusals.submit(provider, note)

const megabyte = 1024 * 1024

const waitingWritesMax = declareLimit(
  'waitingWrites',
  4_096,
  'writes',
  'Writes of a provider waiting for the database in one process.',
)
const waitingBytesMax = declareLimit(
  'waitingBytes',
  64 * megabyte,
  'bytes',
  'Writes of all providers waiting for the database in one process.',
)

const writeLimits: BatchLimits = {
  rowsMax: 128,
  bytesMax: 4 * megabyte,
  waitingRowsMax: waitingWritesMax,
  waitingBytesMax,
  inFlightMax: 1,
}
/** Refusals kept per provider; the oldest are deleted. */
const refusalsKept = 1_000

const readLimits: BatchLimits = { ...writeLimits, rowsMax: 64, inFlightMax: 4 }

/** `due` is called for each write that other work follows. */
export function storeOn(db: Queryable, due: WriteDue = () => undefined): Store {
  const { spans } = db
  const facts = new BatchedStatement<FactsRequest, StoredFacts>({
    run: (provider, requests) => findFactsOfMany(db, provider, requests),
    bytesOf: ({ locations, items }) => 200 * (1 + locations.length + items.length),
    conflictKeys: () => [],
    limits: readLimits,
    spans,
  })
  const records = new BatchedStatement<RecordRequest, StoredVersion | Tombstone | undefined>({
    run: (provider, requests) => readRecords(db, provider, requests),
    bytesOf: () => 100,
    conflictKeys: () => [],
    limits: readLimits,
    spans,
  })
  const refusals = new BatchedStatement<RecordedRefusal, void>({
    run: async (provider, notes) => {
      await recordRefusals(db, { provider, refusals: notes, kept: refusalsKept })
      return notes.map(() => undefined)
    },
    bytesOf: ({ findings, detail }) => findings.length + detail.length,
    conflictKeys: () => [],
    limits: writeLimits,
    spans,
  })
  const accesses = new BatchedStatement<WholeAccess, void>({
    run: async (provider, entries) => {
      await noteAccesses(db, { provider, entries })
      return entries.map(() => undefined)
    },
    bytesOf: ({ asked }) => 200 + JSON.stringify(asked).length,
    conflictKeys: () => [],
    limits: writeLimits,
    spans,
  })
  const keys = new IdempotencyKeyExpiry(db)
  const eventWriters = ofEventKinds((kind) => recordWriter(db, writtenEvents[kind], writeLimits, due))
  const voiders = ofEventKinds((kind) => voider(db, kind, writeLimits))
  const copiedEvents = recordWriter(db, copiedEventKind, writeLimits, due)
  const masterProducts = recordWriter(db, masterProductKind, writeLimits, due)
  const locations = recordWriter(db, locationKind, writeLimits, due)
  return {
    query: db.query.bind(db),
    ...(db.nodes && { nodes: db.nodes }),
    timeZones: new KnownTimeZones(db),
    deleteExpiredKeys: (provider, now) => keys.after(provider, now),
    events: ofEventKinds((kind) => eventWriters[kind].writer),
    voiders,
    copiedEvents: copiedEvents.writer,
    masterProducts: masterProducts.writer,
    locations: locations.writer,
    groups: {
      ...Object.fromEntries(
        Object.values(events).flatMap(({ kind, plural }) => [
          [`create${plural}`, eventWriters[kind].create],
          [`replace${plural}`, eventWriters[kind].replace],
          [`void${plural}`, voiders[kind]],
        ]),
      ),
      createCopiedEvents: copiedEvents.create,
      replaceCopiedEvents: copiedEvents.replace,
      createMasterProducts: masterProducts.create,
      replaceMasterProducts: masterProducts.replace,
      createLocations: locations.create,
      replaceLocations: locations.replace,
      noteRefusals: refusals,
      noteAccesses: accesses,
      readRecords: records,
      findFacts: facts,
    },
  }
}
