// The first half of every write: read the payload, gather the facts its rules ask for, judge.
import type { TSchema } from 'typebox'
import type { ExemptPlaces, NewExemptPlace } from '../../contract/exempt-place.ts'
import { type JsonObjectText, withoutSpaces } from '../../contract/json/json-text.ts'
import type { RecordKind } from '../../contract/record-kinds.ts'
import { isInUtc } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { ShapeBreach } from '../../contract/shape/read-shape.ts'
import { hasShape } from '../../contract/shape/shape-check.ts'
import { contentText, isHashedCanonically } from '../../evidence/evidence.ts'
import type { ItemTally } from '../../rules/completeness.ts'
import { exemptKeysIn } from '../../rules/facts-wanted.ts'
import { judge, readPayload, type Verdict } from '../../rules/judge.ts'
import { type Facts, identifierKey, noFacts, numberedIn, vendorKey } from '../../rules/rule.ts'
import { sha256 } from '../../sha256.ts'
import type { StoredFacts } from '../../store/records/facts.ts'
import type { LocationTimeZone } from '../../store/records/location-time-zones.ts'
import { findFacts } from '../../store/store.ts'
import type { HandlerContext, OperationCall } from '../base/handler.ts'

/** One record of a payload, ready to be stored. */
export interface JudgedRecord {
  /** The record as JSON text, in the sender's own spelling, without an id. */
  readonly body: string
  readonly content: Readonly<Record<string, unknown>>
  readonly contentHash: Buffer
  /** JSON text of the findings that stay with the version. */
  readonly findings: string
  /** Those of them that are warnings. */
  readonly warnings: number
  /** How complete it is, when it is a receiving event. */
  readonly tallies: readonly ItemTally[]
  /**
   * The recount whose master data it was judged with: undefined when the payload needs no master
   * data, -1 when the look-up was incomplete.
   */
  readonly judgedIn: number | undefined
}

export interface JudgedPayload {
  readonly verdict: Verdict
  readonly payloadId: string | undefined
  /** Hash of the whole payload. A function, since few payloads of several records need it. */
  readonly hash: () => Buffer
  /** How many records the payload holds. */
  readonly count: number
  /** Bytes all records take together. */
  readonly bytes: number
  /** The records; only meaningful when the verdict does not refuse. */
  readonly records: () => JudgedRecord[]
}

/** `replacedRecordId` is the id of the record a replacement is for. */
export async function judgePayload(
  { store, settings, runLargeWork }: HandlerContext,
  call: OperationCall,
  kind: RecordKind,
  { shape, replacedRecordId }: { readonly shape: TSchema; readonly replacedRecordId: string | undefined },
): Promise<JudgedPayload> {
  const { body } = call
  const content = withoutId(body.value)
  const subject = content[kind.subject]
  let known: Buffer | undefined
  const noteContent = (canonical: Uint8Array): void => {
    known = sha256(canonical)
  }
  const isHashed = isHashedCanonically(kind.name) && !Array.isArray(subject)
  const reading = readPayload(kind, shape, body.value, isHashed ? noteContent : undefined)
  const hash = (): Buffer => {
    known ??= hashOf(kind, content)
    return known
  }
  const [stored, timeZones] = await Promise.all([
    findFacts(store, call.provider, { ...reading.wanted, kind: kind.name, replacedRecordId }),
    timeZonesFor(store, call.provider, reading),
  ])
  const facts = {
    ...masterDataIn(stored),
    heldBy: heldByIn(stored),
    timeZones,
    now: Date.now(),
    payloadIdUsedBy: isRetry(kind, stored.payloadId?.replacedContent, hash) ? undefined : stored.payloadId?.usedBy,
  }
  const textBreaches = [...numberBreaches(body), ...idBreaches(body, replacedRecordId)]
  const judgeBy = (known: Facts) =>
    runLargeWork(body.text.length, () =>
      judge(kind, reading, { facts: known, settings, textBreaches, strict: call.strict }),
    )
  let verdict = await judgeBy(facts)
  let recount = stored.recount
  // A receipt that asks for no master data waits for the list of exempt places if it has a gap.
  const isOpen = reading.wanted.exemptPlaces === undefined && verdict.severities.gap > 0
  const keys = isOpen ? exemptKeysIn(reading.view) : undefined
  if (keys !== undefined) {
    const asked = { kind: kind.name, locations: [], items: [], identifiers: [], payloadId: undefined }
    const found = await findFacts(store, call.provider, { ...asked, exemptPlaces: keys, replacedRecordId })
    recount = found.recount
    if (found.exemptPlaces.length > 0)
      verdict = await judgeBy({ ...facts, exemptPlaces: masterDataIn(found).exemptPlaces })
  }
  const judgedIn = reading.wanted.isCut ? -1 : recount
  const count = Array.isArray(subject) ? subject.length : 1
  return {
    verdict,
    payloadId: reading.view.payloadId,
    hash,
    count,
    bytes: body.text.length + (count - 1) * (count > 1 ? sharedLength(body, kind) : 0),
    records: () => {
      const stored = verdict.records()
      const spans = Array.isArray(subject) ? body.parts().elements.get(kind.subject) : undefined
      return stored.map(({ kept, warnings, tallies }, i) => {
        const [text, own] = Array.isArray(subject)
          ? [recordText(body, kind.subject, spans?.[i]), { ...content, [kind.subject]: subject[i] }]
          : [onlyRecordText(body), content]
        return {
          body: text,
          content: own,
          contentHash: own === content ? hash() : hashOf(kind, own),
          findings: JSON.stringify(kept),
          warnings,
          tallies,
          judgedIn,
        }
      })
    },
  }
}

/**
 * The time zones that rules need: only for events with a time in UTC, so that no other payload
 * waits for them.
 */
export async function timeZonesFor(
  { timeZones }: HandlerContext['store'],
  provider: string,
  { view }: ReturnType<typeof readPayload>,
): Promise<Facts['timeZones']> {
  const wanted = view.events.some(({ value: { eventDateTime } }) => isGiven(eventDateTime) && isInUtc(eventDateTime))
  return wanted ? byLocation(await timeZones.of(provider)) : noFacts.timeZones
}

/**
 * Kept as long as the list they were made of: many writes see the same list, and it may hold
 * thousands of time zones.
 */
const lookUps = new WeakMap<readonly LocationTimeZone[], Facts['timeZones']>()

/** Time zones as rules look them up. */
export function byLocation(zones: readonly LocationTimeZone[]): Facts['timeZones'] {
  const known = lookUps.get(zones)
  if (known !== undefined) return known
  const lookUp = new Map(
    zones.map(({ dataProviderVendorId, locationCode, timeZone }) => [
      vendorKey(dataProviderVendorId, locationCode),
      timeZone,
    ]),
  )
  lookUps.set(zones, lookUp)
  return lookUp
}

/** Master data as rules look it up. */
export type MasterDataFacts = Pick<Facts, 'masterLocations' | 'locationsByNumber' | 'masterProducts' | 'exemptPlaces'>

export const masterDataIn = ({
  locations,
  items,
  exemptPlaces,
}: Pick<StoredFacts, 'locations' | 'items' | 'exemptPlaces'>): MasterDataFacts => ({
  ...withNumbers(new Map(locations.map(({ vendor, code, content }) => [vendorKey(vendor, code), content]))),
  masterProducts: new Map(items.map(({ vendor, code, id, content }) => [vendorKey(vendor, code), { ...content, id }])),
  exemptPlaces: exemptPlacesIn(exemptPlaces.map(({ key, place: value }) => ({ key, value }))),
})

/** Exempt places as rules look them up. */
export const exemptPlacesIn = (
  declared: readonly { readonly key: string; readonly value: NewExemptPlace }[],
): ExemptPlaces => new Map(declared.map(({ key, value }) => [key, value.exemptions ?? []]))

/** Locations by their codes and by their numbers. */
export const withNumbers = (
  masterLocations: Facts['masterLocations'],
): Pick<Facts, 'masterLocations' | 'locationsByNumber'> => ({
  masterLocations,
  locationsByNumber: numberedIn(masterLocations),
})

/** Records that hold the identifiers of a payload, as rules look them up. */
export const heldByIn = ({ holders }: Pick<StoredFacts, 'holders'>): Facts['heldBy'] =>
  new Map(holders.map(({ field, value, code, id }) => [identifierKey(field, value, code), id]))

/** True when the payload id stands for the very content that is sent again. */
const isRetry = (kind: RecordKind, stored: unknown, sent: () => Buffer): boolean =>
  stored !== undefined && hashOf(kind, stored).equals(sent())

const numberBreaches = ({ inexactNumbers }: JsonObjectText): ShapeBreach[] =>
  inexactNumbers.map(({ pointer, written }) => ({
    rule: 'shape/number',
    pointer,
    message: `${written.slice(0, 40)} is a number that cannot be stored exactly.`,
  }))

/**
 * A record read with GET and sent back carries its id; another one's id means the body is on its
 * way to the wrong record.
 */
function idBreaches({ value: { id } }: JsonObjectText, replacedRecordId: string | undefined): ShapeBreach[] {
  if (replacedRecordId === undefined || typeof id !== 'string' || id.toLowerCase() === replacedRecordId) return []
  return [
    {
      rule: 'shape/record-id',
      pointer: '/id',
      message: `The body has id ${id.slice(0, 60)}, but the address has ${replacedRecordId}.`,
    },
  ]
}

/** SHA-256 of the content, whatever the order of its keys. */
export function hashOf({ name, payload }: RecordKind, content: unknown): Buffer {
  let hash: Buffer | undefined
  const noteContent = (canonical: Uint8Array): void => {
    hash = sha256(canonical)
  }
  if (isHashedCanonically(name)) hasShape(payload, content, { noteContent })
  return hash ?? sha256(contentText(name, content))
}

function withoutId(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!('id' in value)) return value
  const { id: _, ...content } = value
  return content
}

/** How much of the text all records of a list share. */
function sharedLength(body: JsonObjectText, { subject }: RecordKind): number {
  const list = body.parts().members.get(subject)
  return body.text.length - (list === undefined ? 0 : list.end - list.start)
}

/**
 * The text of the only record of a payload: as submitted, without the parts that are no content.
 */
const onlyRecordText = (body: JsonObjectText): string =>
  'id' in body.value ? recordText(body, undefined, undefined) : withoutWhitespace(body, body.text)

/**
 * The text of a record, put together from the parts of the submitted text, so that every field and
 * number stays as it was written: without an id, and with `element` in the place of the list
 * `subject`.
 */
function recordText(
  body: JsonObjectText,
  subject: string | undefined,
  element: { start: number; end: number } | undefined,
): string {
  const parts = [...body.parts().members]
    .filter(([name]) => name !== 'id')
    .map(([name, span]) => {
      const { start, end } = name === subject && element !== undefined ? element : span
      return `${JSON.stringify(name)}:${body.text.slice(start, end)}`
    })
  return withoutWhitespace(body, `{${parts.join(',')}}`)
}

const withoutWhitespace = ({ spaced }: JsonObjectText, text: string): string => (spaced ? withoutSpaces(text) : text)
