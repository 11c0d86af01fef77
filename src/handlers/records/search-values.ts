// Whether the stored search values match the current versions: doctor compares them, and the counts
// of completeness, with those that a write of the version would store (decision 0075).
import type { AnyEventPayload } from '../../contract/payloads.ts'
import {
  type EventKindName,
  eventKinds,
  isEventKind,
  ofEventKinds,
  type RecordKindName,
} from '../../contract/record-kinds.ts'
import type { ItemTally } from '../../rules/completeness.ts'
import { severitiesIn } from '../../rules/stored-findings.ts'
import { recountDueSince } from '../../store/records/recounts.ts'
import { type Compare, compareSearch, isPartnerAccount, type OtherSearch } from '../../store/records/search-values.ts'
import type { HandlerContext } from '../base/handler.ts'
import { MasterDataCache, verdictOf, withLinesOf } from './exported-events.ts'
import { type StoredKind, storedEvents, storedLocations, storedMasterProducts } from './stored-kinds.ts'

/** A current version that is stored whole and is no void. */
export interface CurrentVersion {
  readonly kind: RecordKindName
  readonly id: string
  readonly version: number
  readonly body: string
  readonly findings: string
}

type Context = Pick<HandlerContext, 'store' | 'settings'>
type Content = Readonly<Record<string, unknown>>
type Parsed = CurrentVersion & { readonly content: Content; readonly tallies: readonly ItemTally[] }

type Comparison = (context: Context, provider: string, some: readonly Parsed[]) => Promise<OtherSearch[]>

const comparisonOf =
  <Search, Taken extends 'taken'>({ searchOf }: StoredKind<Search, Taken>, compare: Compare<Search>): Comparison =>
  ({ store }, provider, some) =>
    compare(
      store,
      provider,
      some.map(({ id, version, content, findings, tallies }) => ({
        id,
        version,
        search: searchOf({ content, warnings: severitiesIn(findings).warning, tallies, judgedIn: undefined }),
      })),
    )

const comparisons: Readonly<Record<RecordKindName, Comparison>> = {
  ...ofEventKinds((kind) => comparisonOf(storedEvents[kind], compareSearch[kind])),
  masterProduct: comparisonOf(storedMasterProducts, compareSearch.masterProduct),
  location: comparisonOf(storedLocations, compareSearch.location),
}

const completeness = 'completeness'

/**
 * Those of the versions whose stored search values are others. The account of a partner has copies,
 * which are found by values of their originals: they are not compared.
 */
export async function otherSearchValues(
  context: Context,
  provider: string,
  versions: readonly CurrentVersion[],
): Promise<readonly OtherSearch[]> {
  if (await isPartnerAccount(context.store, { provider })) return []
  const other = await compared(context, provider, versions)
  const uncounted = other.filter(({ differing }) => differing.includes(completeness))
  if (uncounted.length === 0) return other
  // Master data may have changed while it was read, and then events wait to be counted again.
  const again = new Set(uncounted.map(({ id }) => id))
  const still = await compared(
    context,
    provider,
    versions.filter(({ id }) => again.has(id)),
  )
  const isDue = (await recountDueSince(context.store, provider)) !== undefined
  return [...other.filter(({ id }) => !again.has(id)), ...still].flatMap((one) => {
    const differing = isDue ? one.differing.filter((name) => name !== completeness) : one.differing
    return differing.length === 0 ? [] : [{ ...one, differing }]
  })
}

async function compared(context: Context, provider: string, versions: readonly CurrentVersion[]) {
  const other: OtherSearch[] = []
  for (const [kind, compare] of Object.entries(comparisons) as [RecordKindName, Comparison][]) {
    const some = versions
      .filter((one) => one.kind === kind)
      .map((one): Parsed => ({ ...one, content: JSON.parse(one.body) as Content, tallies: [] }))
    if (some.length === 0) continue
    const counted = isEventKind(kind) ? await withTallies(context, provider, some, kind) : some
    other.push(...(await compare(context, provider, counted)))
  }
  return other
}

async function withTallies(
  context: Context,
  provider: string,
  events: readonly Parsed[],
  kind: EventKindName,
): Promise<Parsed[]> {
  const master = new MasterDataCache(context, provider)
  const payloadOf = ({ content }: Parsed) => content as unknown as AnyEventPayload
  await master.lookUp(events.map((event) => withLinesOf(payloadOf(event), eventKinds[kind])))
  return events.map((event) => ({
    ...event,
    tallies: verdictOf(payloadOf(event), master.facts(), context.settings, { kind }).tallies,
  }))
}
