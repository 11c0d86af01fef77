// Makes records from an archive searchable, by the content of their current version.

import { type EventKindName, ofEventKinds, type RecordKind, type RecordKindName } from '../../contract/record-kinds.ts'
import type { ArchivedVersion } from '../../evidence/archive.ts'
import type { ItemTally } from '../../rules/completeness.ts'
import { judgeStored, onlyRecordOf, readPayload } from '../../rules/judge.ts'
import { noFacts } from '../../rules/rule.ts'
import { shapeFindings } from '../../rules/shape.ts'
import { severitiesIn } from '../../rules/stored-findings.ts'
import { keyIsHeld } from '../../store/database/database-errors.ts'
import { unreadyRecords } from '../../store/exchange/archive-imports.ts'
import { importRecords } from '../../store/exchange/imported-records.ts'
import type { EventSearch } from '../../store/records/event-rows.ts'
import type { ImportedRecord } from '../../store/records/records.ts'
import { importVoidedEvents } from '../../store/records/voids.ts'
import { findFacts } from '../../store/store.ts'
import type { Answer, HandlerContext } from '../base/handler.ts'
import { masterDataIn } from '../records/judged-payload.ts'
import { type StoredKind, storedEvents, storedLocations, storedMasterProducts } from '../records/stored-kinds.ts'

type Fault = Answer<'notEmpty' | 'notFitting'>

/** One record, with the search values that its kind reads from the content. */
interface Head {
  readonly id: string
  readonly version: number
  readonly contentHash: Buffer
  readonly versionHash: Buffer
  readonly content: Readonly<Record<string, unknown>>
  readonly warnings: number
  readonly tallies: readonly ItemTally[]
  /** When it was voided, in UTC to the microsecond; absent where the current version is no void. */
  readonly voidedDateTime?: string | undefined
}

const importing =
  <Search, Taken extends 'taken'>(storedKind: StoredKind<Search, Taken>) =>
  (context: HandlerContext, provider: string, heads: readonly Head[]): Promise<void> =>
    importRecords(
      context.store,
      provider,
      storedKind.written,
      heads.map((head): ImportedRecord<Search> => withSearch(storedKind, head)),
    )

const withSearch = <Search, Taken extends 'taken'>(
  { searchOf }: StoredKind<Search, Taken>,
  { content, warnings, tallies, ...head }: Head,
) => ({ ...head, search: searchOf({ content, warnings, tallies, judgedIn: undefined }) })

const importingEvents =
  (kind: EventKindName, storedKind: StoredKind<EventSearch, 'taken'>) =>
  async (context: HandlerContext, provider: string, heads: readonly Head[]): Promise<void> => {
    const voids = heads.flatMap((head) => {
      const { voidedDateTime } = head
      return voidedDateTime === undefined ? [] : [{ ...withSearch(storedKind, head), voidedDateTime }]
    })
    const inForce = heads.filter(({ voidedDateTime }) => voidedDateTime === undefined)
    if (voids.length > 0) await importVoidedEvents[kind](context.store, { provider, submitted: voids })
    if (inForce.length > 0) await importing(storedKind)(context, provider, inForce)
  }

const kinds: Readonly<
  Record<RecordKindName, { readonly kind: RecordKind; readonly write: ReturnType<typeof importing> }>
> = {
  ...ofEventKinds((name) => ({
    kind: storedEvents[name].kind,
    write: importingEvents(name, storedEvents[name]),
  })),
  masterProduct: { kind: storedMasterProducts.kind, write: importing(storedMasterProducts) },
  location: { kind: storedLocations.kind, write: importing(storedLocations) },
}

/** Makes those records ready whose current versions are among these; they are stored already. */
export async function prepareCurrent(
  context: HandlerContext,
  provider: string,
  versions: readonly ArchivedVersion[],
): Promise<Fault | undefined> {
  const heads = new Map<RecordKindName, Head[]>()
  for (const { kind, id, version, contentHash, versionHash, submittedDateTime, detail, current } of versions) {
    if (detail === undefined) continue
    const content = JSON.parse(detail.body) as Head['content']
    const fault = faultOf(kinds[kind].kind, content)
    const tallies = typeof current === 'object' ? readTallies(current.completeness) : []
    if (fault !== undefined || tallies === undefined)
      return {
        outcome: 'notFitting',
        detail: `Version ${version} of record ${id}: ${fault ?? 'completeness has the wrong form.'}`,
      }
    if (current === undefined) continue
    const hashes = { contentHash: Buffer.from(contentHash, 'hex'), versionHash: Buffer.from(versionHash, 'hex') }
    const warnings = severitiesIn(detail.findings).warning
    const voidedDateTime = detail.voidReason === undefined ? undefined : submittedDateTime
    heads.set(kind, [
      ...(heads.get(kind) ?? []),
      { id, version, ...hashes, content, warnings, tallies, voidedDateTime },
    ])
  }
  return store(context, provider, heads)
}

async function store(
  context: HandlerContext,
  provider: string,
  heads: ReadonlyMap<RecordKindName, readonly Head[]>,
): Promise<Fault | undefined> {
  try {
    for (const [kind, some] of heads) await kinds[kind].write(context, provider, some)
    return undefined
  } catch (error) {
    if (!keyIsHeld(error)) throw error
    return {
      outcome: 'notEmpty',
      detail:
        'A record outside this archive has the same key as a record of the archive. Import the archive into an empty account.',
    }
  }
}

/**
 * Reasons why a body cannot be searched by. It was accepted once, so rules are not applied; an
 * event sets up locations from its entries, so they may lack required fields.
 */
function faultOf(kind: RecordKind, content: Head['content']): string | undefined {
  const [finding] = shapeFindings(kind.payload, content).findings
  if (finding === undefined) return undefined
  const { dataProviderVendorId, locationCode } = (content.locationMasterList ?? {}) as Record<string, unknown>
  if (kind.name === 'location' && typeof dataProviderVendorId === 'string' && typeof locationCode === 'string')
    return undefined
  return `${finding.pointer} ${finding.message}`
}

function readTallies(text: string): readonly ItemTally[] | undefined {
  const tallies = JSON.parse(text) as readonly Partial<ItemTally>[]
  const count = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
  const fits = tallies.every(
    (tally) =>
      typeof tally === 'object' &&
      tally !== null &&
      Object.keys(tally).length === 4 &&
      typeof tally.item === 'string' &&
      count(tally.lines) &&
      count(tally.complete) &&
      typeof tally.gaps === 'object' &&
      tally.gaps !== null &&
      !Array.isArray(tally.gaps) &&
      Object.values(tally.gaps).every(count),
  )
  return fits ? (tallies as readonly ItemTally[]) : undefined
}

const recordsAtOnce = 200

/**
 * Makes ready, some at a time, those records whose last version was not the current one when the
 * archive was made, because they were replaced meanwhile. How complete they are is judged again.
 */
export async function prepareReplaced(
  context: HandlerContext,
  provider: string,
): Promise<Fault | 'unfinished' | 'none'> {
  const records = await unreadyRecords(context.store, { provider, limit: recordsAtOnce })
  if (records.length === 0) return 'none'
  const heads = new Map<RecordKindName, Head[]>()
  for (const { kind: name, body, findings, isVoid, submittedDateTime, ...stored } of records) {
    const content = JSON.parse(body) as Head['content']
    const head = { ...stored, voidedDateTime: isVoid ? submittedDateTime : undefined }
    const { kind } = kinds[name]
    const reading = readPayload(kind, kind.payload, content)
    const wanted = { ...reading.wanted, kind: name, payloadId: undefined, identifiers: [], replacedRecordId: head.id }
    const facts = { ...noFacts, ...masterDataIn(await findFacts(context.store, provider, wanted)) }
    const { tallies } = onlyRecordOf(judgeStored(kind, reading, facts, context.settings))
    heads.set(name, [
      ...(heads.get(name) ?? []),
      { ...head, content, warnings: severitiesIn(findings).warning, tallies },
    ])
  }
  return (await store(context, provider, heads)) ?? 'unfinished'
}
