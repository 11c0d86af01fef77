// Sends one record through the given requests, so that sending it again creates nothing twice.
// Something stored already is compared first. It is replaced only on request, and never loses
// product lines without a question. Source: §1; decisions 0047, 0048.
import type { Differences } from '../contract/differences.ts'
import { isEventKind, masterProduct, type RecordKind } from '../contract/record-kinds.ts'
import type { Finding } from '../contract/shape/finding.ts'
import { deliveryIdentity, deliveryTimesMax } from './delivery.ts'
import type { IntakeRecord, PlacedFinding } from './intake-record.ts'
import { placedFinding } from './judge-record.ts'
import { recordNames } from './record-name.ts'

type Payload = Readonly<Record<string, unknown>>

/** The service refuses the record. */
interface Refused {
  readonly is: 'refused'
  readonly findings: readonly Finding[]
  readonly message: string
}

/**
 * The requests for one record. Errors of the whole import (no connection, an expired key) are
 * thrown.
 */
export interface RecordCalls {
  /**
   * The same content always has the same idempotency key. `found`: an earlier import created it.
   */
  readonly create: (
    kind: RecordKind,
    payload: Payload,
    options: Pick<SendOptions, 'dryRun'>,
  ) => Promise<
    | { readonly is: 'created' | 'found'; readonly ids: readonly string[] }
    | { readonly is: 'judged' }
    | { readonly is: 'taken'; readonly by: string; readonly message: string }
    | Refused
  >
  /** Id of the vendor's master product with this item code. */
  readonly findProduct: (vendor: string, itemCode: string) => Promise<string | undefined>
  readonly read: (kind: RecordKind, id: string) => Promise<{ readonly payload: Payload; readonly version: number }>
  /** The changes that the payload would make in the record; nothing is stored. */
  readonly compare: (
    kind: RecordKind,
    id: string,
    payload: Payload,
  ) => Promise<
    | { readonly is: 'unchanged' }
    | { readonly is: 'differs'; readonly version: number; readonly changes: Differences }
    | Refused
    | InDoubt
  >
  /** Replaces this version of the record, and no other. */
  readonly replace: (
    kind: RecordKind,
    id: string,
    payload: Payload,
    version: number,
  ) => Promise<{ readonly is: 'replaced' } | { readonly is: 'stale'; readonly message: string } | Refused | InDoubt>
}

/** No response: whether the request took effect is unknown. */
interface InDoubt {
  readonly is: 'inDoubt'
  readonly error: unknown
}

export type Sent =
  | { readonly is: 'created' | 'replaced' | 'unchanged'; readonly ids: readonly string[] }
  /** A dry run: its result, and the stored record that it would replace. */
  | { readonly is: 'judged'; readonly wouldBe: 'created' }
  | { readonly is: 'judged'; readonly wouldBe: 'replaced'; readonly ids: readonly string[] }
  | {
      readonly is: 'rejected'
      readonly findings: readonly PlacedFinding[]
      /** Id of the stored record with the same key. */
      readonly heldBy?: string
    }

/** A replacement that removes product lines from a stored event. */
export interface Removal {
  readonly record: IntakeRecord
  readonly id: string
  readonly version: number
  /** The lines, in words. */
  readonly lines: readonly string[]
}

export interface SendOptions {
  /** A stored record with the same key is replaced. */
  readonly replace: boolean
  /** The service validates, and stores nothing. */
  readonly dryRun: boolean
  /** Asks whether the lines may be removed. */
  readonly mayRemove: (removal: Removal) => Promise<boolean>
  /** True for a reason of a dry run that an earlier record of the file will settle. */
  readonly isSettled?: (record: IntakeRecord, finding: Finding) => boolean
  /**
   * How to replace a record, and how to allow removing lines: command line and console have their
   * own words.
   */
  readonly remedies: { readonly replace: string; readonly remove: string }
  /** Words of a screen for the stored record and for a place in it; else id and pointer. */
  readonly screenWords?: { readonly record: string; readonly place: (kind: RecordKind, pointer: string) => string }
}

/** How often a replacement is retried after another caller changed the record. */
const replaceTriesMax = 3

/**
 * Sends a record. One without a time of day gets the first of its times that no other delivery has.
 */
export async function sendRecord(calls: RecordCalls, record: IntakeRecord, options: SendOptions): Promise<Sent> {
  let sent = await sendAtItsTime(calls, record, options)
  for (let attempt = 1; sent.is === 'otherDelivery'; attempt++) {
    const payload = attempt < deliveryTimesMax ? record.atOtherTime?.(attempt) : undefined
    if (payload === undefined)
      return {
        ...rejection(
          record,
          `Other deliveries of this vendor already have the ${attempt} event date times that were tried for this one.`,
          'Add a column eventDateTime with the date and time of each delivery.',
        ),
        heldBy: sent.by,
      }
    sent = await sendAtItsTime(calls, { ...record, payload }, options)
  }
  return sent
}

interface OtherDelivery {
  readonly is: 'otherDelivery'
  /** Id of the event with that time. */
  readonly by: string
}

async function sendAtItsTime(
  calls: RecordCalls,
  record: IntakeRecord,
  options: SendOptions,
): Promise<Sent | OtherDelivery> {
  const { kind, payload } = record
  const holder = kind.name === masterProduct.name ? await productHolding(calls, record) : undefined
  if (holder !== undefined) return overHolder(calls, record, holder, options)
  const created = await calls.create(kind, payload, options)
  switch (created.is) {
    case 'created':
      return { is: 'created', ids: created.ids }
    case 'found':
      return { is: 'unchanged', ids: created.ids }
    case 'judged':
      return { is: 'judged', wouldBe: 'created' }
    case 'refused': {
      const left = created.findings.filter((finding) => !options.isSettled?.(record, finding))
      const isRefused = created.findings.length === 0 || left.some(({ severity }) => severity === 'error')
      return isRefused ? rejectedBy(record, { ...created, findings: left }) : { is: 'judged', wouldBe: 'created' }
    }
    case 'taken':
      if (await isOtherDelivery(calls, record, created.by)) return { is: 'otherDelivery', by: created.by }
      return Array.isArray(payload[kind.subject])
        ? { ...rejection(record, created.message), heldBy: created.by }
        : overHolder(calls, record, created.by, options)
  }
}

/**
 * True when the event with this time is another delivery, so that the next time is tried. Source:
 * decision 0048.
 */
async function isOtherDelivery(
  calls: RecordCalls,
  { kind, payload, atOtherTime }: IntakeRecord,
  by: string,
): Promise<boolean> {
  if (atOtherTime === undefined) return false
  const held = await calls.read(kind, by)
  const { name } = kind
  const identityIn = (whole: Payload) =>
    deliveryIdentity((whole[kind.subject] ?? {}) as Payload, isEventKind(name) ? name : undefined)
  return identityIn(held.payload) !== identityIn(payload)
}

/** Item codes of products are not unique, so a stored product is searched for. */
async function productHolding(calls: RecordCalls, { payload, kind }: IntakeRecord): Promise<string | undefined> {
  const product = payload[kind.subject]
  if (typeof product !== 'object' || product === null || Array.isArray(product)) return undefined
  const { dataProviderVendorId: vendor, itemCode } = product as Payload
  return typeof vendor === 'string' && typeof itemCode === 'string' ? calls.findProduct(vendor, itemCode) : undefined
}

/**
 * The changes that the record would make in the stored one with its key. With `replace` it makes
 * them.
 */
async function overHolder(calls: RecordCalls, record: IntakeRecord, id: string, options: SendOptions): Promise<Sent> {
  const { kind, payload } = record
  const { replace, dryRun, mayRemove, remedies, screenWords } = options
  for (let attempt = 1; ; attempt++) {
    const compared = await calls.compare(kind, id, payload)
    if (compared.is === 'unchanged') return { is: 'unchanged', ids: [id] }
    if (compared.is === 'refused') return { ...rejectedBy(record, compared), heldBy: id }
    if (compared.is === 'inDoubt') {
      if (attempt < replaceTriesMax) continue
      throw compared.error
    }
    const { version, changes } = compared
    const [name = ''] = recordNames(kind, payload)
    const stored = `The ${kind.noun} ${JSON.stringify(name)} is already stored as ${screenWords?.record ?? `record ${id}, `}version ${version}.`
    if (!replace) {
      const words = inWords(changes, (pointer) => screenWords?.place(kind, pointer) ?? pointer)
      return { ...rejection(record, `${stored} This one ${words}.`, remedies.replace), heldBy: id }
    }
    const removed = await linesRemoved(calls, record, { id, version }, changes)
    if (removed === 'stale') {
      if (attempt < replaceTriesMax) continue
      return { ...rejection(record, `${stored} It keeps changing while it is compared.`), heldBy: id }
    }
    if (removed.length > 0 && !(await mayRemove({ record, id, version, lines: removed }))) {
      const message = `${stored} Replacing it removes ${removed.length === 1 ? 'a product line' : `${removed.length} product lines`}: ${listSome(removed)}.`
      return { ...rejection(record, message, remedies.remove), heldBy: id }
    }
    if (dryRun) return { is: 'judged', wouldBe: 'replaced', ids: [id] }
    const replaced = await calls.replace(kind, id, payload, version)
    if (replaced.is === 'replaced') return { is: 'replaced', ids: [id] }
    if (replaced.is === 'refused') return { ...rejectedBy(record, replaced), heldBy: id }
    // Comparing again shows whether a replacement in doubt took effect: then nothing would change.
    if (attempt < replaceTriesMax) continue
    if (replaced.is === 'inDoubt') throw replaced.error
    return { ...rejection(record, replaced.message), heldBy: id }
  }
}

/** Product lines of the stored event that the new one lacks, counted by item and lot code. */
async function linesRemoved(
  calls: RecordCalls,
  { kind, payload }: IntakeRecord,
  { id, version }: { readonly id: string; readonly version: number },
  { removed, replaced }: Differences,
): Promise<readonly string[] | 'stale'> {
  const touched = [...removed, ...replaced].some((pointer) => pointer.startsWith('/eventList/productList'))
  if (!isEventKind(kind.name) || !touched) return []
  const before = await calls.read(kind, id)
  if (before.version !== version) return 'stale'
  const left = new Map<string, number>()
  for (const line of linesOf(payload)) left.set(lineKey(line), (left.get(lineKey(line)) ?? 0) + 1)
  return linesOf(before.payload).flatMap((line) => {
    const count = left.get(lineKey(line)) ?? 0
    left.set(lineKey(line), count - 1)
    return count > 0 ? [] : [lineInWords(line)]
  })
}

function linesOf(payload: Payload): readonly Payload[] {
  const lines = (payload.eventList as Payload | undefined)?.productList
  return Array.isArray(lines) ? lines : []
}

const lineKey = ({ vendorItemCode, caseLotNumber }: Payload): string => JSON.stringify([vendorItemCode, caseLotNumber])

const lineInWords = ({ vendorItemCode, caseLotNumber, shipQuantity, shipQuantityUom }: Payload): string =>
  `item ${vendorItemCode} ${caseLotNumber === undefined ? 'without a lot code' : `lot ${caseLotNumber}`} (${shipQuantity} ${shipQuantityUom})`

const shownMax = 8

const listSome = (all: readonly string[]): string =>
  `${all.slice(0, shownMax).join(', ')}${all.length > shownMax ? ` and ${all.length - shownMax} more` : ''}`

const inWords = ({ added, removed, replaced }: Differences, placeWords: (pointer: string) => string): string =>
  (
    [
      ['adds', added],
      ['removes', removed],
      ['changes', replaced],
    ] as const
  )
    .filter(([, pointers]) => pointers.length > 0)
    .map(([verb, pointers]) => `${verb} ${listSome(pointers.map(placeWords))}`)
    .join('; ')

type Rejection = Extract<Sent, { is: 'rejected' }>

const rejection = (record: IntakeRecord, message: string, remedy?: string): Rejection => ({
  is: 'rejected',
  findings: [{ severity: 'error', ...record.locate(''), message, ...(remedy !== undefined && { remedy }) }],
})

const rejectedBy = (record: IntakeRecord, { findings, message }: Refused): Rejection =>
  findings.length > 0
    ? { is: 'rejected', findings: findings.map((finding) => placedFinding(record, finding)) }
    : rejection(record, message)
