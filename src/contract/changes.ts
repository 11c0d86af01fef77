// The feed of changes: which record changed and how, and the position of a reader. The order is
// that of the evidence: number of the checkpoint, and place in it. Source: decision 0071.
import { readLotCode } from './lots/lot-code.ts'
import { isEventKind, type RecordKindName, recordKinds } from './record-kinds.ts'

/** The changes of a version. */
const changeActions = ['created', 'replaced', 'voided', 'purged'] as const
export type ChangeAction = (typeof changeActions)[number]
export type ChangeType = `${RecordKindName}.${ChangeAction}`

/** Every type of change, kind by kind. */
export const changeTypes: readonly ChangeType[] = recordKinds.flatMap(({ name }) =>
  changeActions.map((action): ChangeType => `${name}.${action}`),
)

/** One entry of the feed, as it is sent. It has ids and no content. */
export interface Change {
  /** `after` with this position returns the entries that follow this one. */
  readonly position: string
  readonly type: ChangeType
  readonly id: string
  readonly version: number
  /** When the version was stored, in UTC, to the microsecond. */
  readonly submittedDateTime: string
  /** The request that stored the version. */
  readonly requestId: string
  /** Why the version was stored, where its sender said so. */
  readonly reason?: string
  /** When its content was purged. Only a purge has it. */
  readonly purgedDateTime?: string
}

/** The type of a change whose version the database lost. Source: decision 0075. */
export const damagedType = 'damaged'

/** An entry of the feed of which only its place and its version are known. */
export interface DamagedChange {
  readonly position: string
  readonly type: typeof damagedType
  readonly id: string
  readonly version: number
  /** When its checkpoint was made, in UTC: the version was stored or purged before. */
  readonly checkpointDateTime: string
}

export const kindOfChange = ({ type }: Pick<Change, 'type'>): RecordKindName =>
  type.slice(0, type.indexOf('.')) as RecordKindName

const isPurge = ({ type }: Pick<Change, 'type'>): boolean => type.endsWith('.purged')

/**
 * Where a reader is: it has the first `index` entries of checkpoint `number`, and all before it.
 */
export interface Position {
  readonly number: number
  readonly index: number
  /**
   * The first 8 digits of the checkpoint's hash. They distinguish this history from another one
   * with a checkpoint of the same number: that of another provider, or the one before a backup was
   * restored.
   */
  readonly history: string
}

/** Before the first entry. */
export const beginning: Position = { number: 0, index: 0, history: '' }

export const positionText = ({ number, index, history }: Position): string =>
  number === 0 ? '0-0' : `${number}-${index}-${history}`

const written = /^([1-9]\d{0,9})-(0|[1-9]\d{0,5})-([0-9a-f]{8})$/
const numberMax = 2 ** 31 - 1

/** Parses a position, also one of another history. Undefined for any other text. */
export function readPosition(text: string): Position | undefined {
  if (text === positionText(beginning)) return beginning
  const [, number, index, history = ''] = written.exec(text) ?? []
  const position = { number: Number(number), index: Number(index), history }
  return position.number <= numberMax ? position : undefined
}

/** True when an entry of the feed comes behind a position. */
export function isBehind(entry: string, { number, index }: Position): boolean {
  const read = readPosition(entry)
  return read !== undefined && (read.number > number || (read.number === number && read.index > index))
}

/** Which changes a reader wants: those that match every filter given. */
export interface ChangeFilter {
  /** Any of these kinds; every kind when there are none. */
  readonly kinds?: readonly RecordKindName[] | undefined
  readonly dataProviderVendorId?: string | undefined
  /** Matches events only, as `lotCode` does. */
  readonly shipToLocationCode?: string | undefined
  /** A lot code, or any GS1 text that contains it. */
  readonly lotCode?: string | undefined
}

/**
 * Values that filters compare: those of a version and of the one before it. So a reader also gets
 * the change that takes a record out of its filter.
 */
export interface ChangedRecord {
  readonly vendorIds: readonly string[]
  readonly shipToLocationCodes: readonly string[]
  /** As written on the lines. */
  readonly lotCodes: readonly string[]
}

/** True when a filter compares values of the record. */
export const looksAtRecord = ({ dataProviderVendorId, shipToLocationCode, lotCode }: ChangeFilter): boolean =>
  dataProviderVendorId !== undefined || shipToLocationCode !== undefined || lotCode !== undefined

/**
 * True when a reader with this filter gets the change. `record` is undefined when its content was
 * purged. No value can be compared then: every reader of its kind gets the purge, and none gets the
 * changes before it.
 */
export function isWanted(filter: ChangeFilter, change: Pick<Change, 'type'>, record?: ChangedRecord): boolean {
  const { kinds = [], dataProviderVendorId, shipToLocationCode, lotCode } = filter
  const kind = kindOfChange(change)
  if (kinds.length > 0 && !kinds.includes(kind)) return false
  if (!looksAtRecord(filter)) return true
  if ((shipToLocationCode ?? lotCode) !== undefined && !isEventKind(kind)) return false
  if (isPurge(change)) return true
  if (record === undefined) return false
  const lot = lotCode === undefined ? undefined : readLotCode(lotCode).lotCode
  return (
    (dataProviderVendorId === undefined || record.vendorIds.includes(dataProviderVendorId)) &&
    (shipToLocationCode === undefined || record.shipToLocationCodes.includes(shipToLocationCode)) &&
    (lot === undefined || record.lotCodes.some((text) => readLotCode(text).lotCode === lot))
  )
}
