// `lotkeeper pull`: copies the records that a supplier shares into this account, from the feed of
// changes of the supplier's service. This account's own records are never overwritten.
import type { AnyRecord, Client } from '../../client/client.ts'
import { ProblemError } from '../../client/failure.ts'
import type { Change } from '../../client/generated/shapes.ts'
import { kindOfChange } from '../../contract/changes.ts'
import { isEventKind, type RecordKindName } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { contentText } from '../../evidence/evidence.ts'
import { sha256Hex } from '../../sha256.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain, remarks, results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient, withoutEndSlashes } from '../base/remote.ts'
import { followPages } from './followed-changes.ts'
import { type PulledChange, PullJournal, type PullOutcome } from './pull-journal.ts'

interface PullOptions extends RemoteOptions {
  readonly from: string
  readonly fromKey?: string
  readonly journal?: string
  readonly follow: boolean
}

/** Records that are pulled at once. */
const atOnce = 8

export const pull = ({ from, fromKey, journal: path, follow, ...own }: PullOptions): Promise<CommandEnd> =>
  withClient(own, async (api) => {
    const { body: here } = await api.readOwnKey()
    if (here.role !== 'writer' && here.role !== 'administrator')
      return { problem: `Key ${here.keyId} has the role ${here.role}. To store what is pulled, use a key of a writer.` }
    const there = { url: from, json: own.json, ...(fromKey !== undefined && { key: fromKey }), names: originNames }
    return withClient(there, (origin) =>
      pullInto(api, origin, withoutEndSlashes(from), {
        journal: path,
        follow,
        json: own.json === true,
        into: here.provider,
      }),
    )
  })

const originNames = { option: '--from', url: '--from', key: 'LOTKEEPER_FROM_KEY or --from-key' }

async function pullInto(
  api: Client,
  origin: Client,
  url: string,
  {
    journal: path,
    follow,
    json,
    into,
  }: {
    readonly journal: string | undefined
    readonly follow: boolean
    readonly json: boolean
    /** Name of the own data provider. */
    readonly into: string
  },
): Promise<CommandEnd> {
  const { body: there } = await origin.readOwnKey()
  const name = path ?? `pull-${new URL(url).host.replaceAll(':', '-')}-${there.keyId}.ndjson`
  const journal = await PullJournal.open(name, { url, provider: there.provider })
  if ('otherOrigin' in journal)
    return {
      problem: `${name} is the journal of a pull from ${journal.otherOrigin.provider} at ${journal.otherOrigin.url}. Name another file with --journal.`,
      calledWrongly: true,
    }
  await remarks.say(`Pulling what ${plain(there.provider)} shares into the account of ${plain(into)}. Journal: ${name}`)
  const counts = new Map<PullOutcome, number>()
  let lost = 0
  const puller = new Puller(api, origin, journal)
  try {
    await followPages(
      origin,
      { after: journal.position ?? '0-0', follow },
      async ({ content, nextPosition, damaged = [] }, signal) => {
        lost += damaged.length
        for (const { id, version } of damaged)
          await remarks.say(`The database of ${plain(there.provider)} lost version ${version} of record ${id}.`)
        await puller.take(content, signal, async (pulled) => {
          counts.set(pulled.outcome, (counts.get(pulled.outcome) ?? 0) + 1)
          if (json) await results.write(`${JSON.stringify(pulled)}\n`)
          else if (pulled.why !== undefined)
            await results.write(`${pulled.kind} ${pulled.id} version ${pulled.version}: ${plain(pulled.why)}\n`)
        })
        journal.through(nextPosition)
        remarks.passing(countWords(counts))
      },
    )
  } catch (error) {
    if (error instanceof ProblemError && error.outcome === 'otherHistory')
      return {
        problem: `${error.message} What was pulled is kept, with its hashes, in ${name}: the history there is another one now, for example after a backup was restored. Ask the supplier; then start again with another --journal.`,
      }
    if (error instanceof ForeignContent) return { problem: error.message }
    throw error
  }
  await remarks.say(countWords(counts))
  if (lost > 0)
    return {
      problem: `Not everything was pulled: ${pluralize(lost, 'change')} of ${plain(there.provider)} ${lost === 1 ? 'is' : 'are'} missing there. Ask the supplier; then pull again with another --journal.`,
    }
  return (counts.get('refused') ?? 0) + (counts.get('kept') ?? 0) > 0
    ? { problem: `Not everything was stored. ${name} says why for each record.` }
    : undefined
}

const words: Readonly<Record<PullOutcome, string>> = {
  stored: 'stored',
  unchanged: 'the same as here',
  kept: 'left as they are here',
  refused: 'refused',
  gone: 'purged there',
}

const countWords = (counts: ReadonlyMap<PullOutcome, number>): string => {
  const some = Object.entries(words).flatMap(([outcome, said]) => {
    const count = counts.get(outcome as PullOutcome)
    return count === undefined ? [] : [`${count.toLocaleString('en')} ${said}`]
  })
  return some.length === 0 ? 'Nothing new.' : `Changes: ${some.join(', ')}.`
}

/** The received record is not the one that the origin stored. */
class ForeignContent extends Error {
  override readonly name = 'ForeignContent'
}

/** The result of a change, before it is written to the journal. */
type Ended = Pick<PulledChange, 'outcome'> &
  Partial<Pick<PulledChange, 'contentHash' | 'storedId' | 'storedVersion' | 'why'>>

/** A version of the supplier's record, as it arrived. */
interface ForeignVersion {
  readonly kind: RecordKindName
  readonly id: string
  readonly version: number
  readonly body: Readonly<Record<string, unknown>>
}

class Puller {
  readonly #api: Client
  readonly #origin: Client
  readonly #journal: PullJournal

  constructor(api: Client, origin: Client, journal: PullJournal) {
    this.#api = api
    this.#origin = origin
    this.#journal = journal
  }

  /**
   * Takes the changes of a page. Those of one record are taken in order; master data comes before
   * the events, which are judged by it.
   */
  async take(
    changes: readonly Change[],
    signal: AbortSignal,
    ended: (pulled: PulledChange) => Promise<void>,
  ): Promise<void> {
    const isEvent = (change: Change) => isEventKind(kindOfChange(change))
    for (const some of [changes.filter((change) => !isEvent(change)), changes.filter(isEvent)]) {
      const records = byRecord(some)
      const takeSome = async () => {
        for (let record = records.shift(); record !== undefined; record = records.shift())
          for (const change of record) {
            signal.throwIfAborted()
            const { position, id, version } = change
            const pulled = {
              position,
              kind: kindOfChange(change),
              id,
              version,
              ...(await this.#takeOne(change, signal)),
            }
            this.#journal.note(pulled)
            await ended(pulled)
          }
      }
      await Promise.all(Array.from({ length: atOnce }, takeSome))
    }
  }

  async #takeOne(change: Change, signal: AbortSignal): Promise<Ended> {
    const { id, version, type } = change
    const kind = kindOfChange(change)
    // This account has duties of its own: records that were purged or withdrawn there stay here.
    if (type.endsWith('.purged')) return { outcome: 'gone' }
    const read = await this.#read(kind, id, version, signal)
    if (read === undefined) return { outcome: 'gone' }
    const { body, contentHash, voidReason } = read
    try {
      return {
        contentHash,
        ...(voidReason === null
          ? await this.#store({ kind, id, version, body }, signal)
          : await this.#void(id, voidReason, signal)),
      }
    } catch (error) {
      if (!(error instanceof ProblemError) || ![409, 412, 413, 422].includes(error.status)) throw error
      const [finding] = error.findings
      const place = finding === undefined ? '' : ` ${finding.pointer} ${finding.message}`
      return { contentHash, outcome: error.outcome === 'stale' ? 'kept' : 'refused', why: `${error.message}${place}` }
    }
  }

  /**
   * A version as it was, verified by the hash in the history of the origin; undefined when it is
   * purged.
   */
  async #read(kind: RecordKindName, id: string, version: number, signal: AbortSignal) {
    const { listVersions, readVersion } = this.#origin.of(kind)
    try {
      const [{ body: record }, summary] = await Promise.all([
        readVersion({ id, version, signal }),
        versionSummary(listVersions, id, version, signal),
      ])
      const { id: _, ...body } = record as AnyRecord
      const arrived = sha256Hex(contentText(kind, body))
      if (summary !== undefined && summary.contentHash !== arrived)
        throw new ForeignContent(
          `Version ${version} of ${kind} ${id} does not match its hash in the history of the origin. It is not stored. Pull again; if it stays so, tell the supplier.`,
        )
      return { body, contentHash: arrived, voidReason: summary?.voidReason ?? null }
    } catch (error) {
      if (error instanceof ProblemError && (error.status === 410 || error.status === 404)) return undefined
      throw error
    }
  }

  async #store({ kind, id, version, body }: ForeignVersion, signal: AbortSignal): Promise<Ended> {
    const { create, replace } = this.#api.of(kind)
    const known = this.#journal.recordOf(id)
    if (known === undefined)
      try {
        const answer = await create({ body, idempotencyKey: `pull-${id}-${version}`, signal })
        const [storedId = ''] = answer.body.request_ids
        return { outcome: 'stored', storedId, storedVersion: 1 }
      } catch (error) {
        if (!(error instanceof ProblemError) || error.outcome !== 'taken') throw error
        const { heldBy } = error.problem
        if (heldBy === undefined || !(await this.#isSame(kind, heldBy, body, signal)))
          return { outcome: 'kept', why: error.message }
        // An earlier pull whose journal was lost, or an event that set the location up.
        const { version: storedVersion = 1 } = await this.#api.of(kind).read({ id: heldBy, signal })
        return { outcome: 'unchanged', storedId: heldBy, storedVersion }
      }
    const target = { storedId: known.id }
    try {
      const { version: storedVersion = known.version } = await replace({
        id: known.id,
        body,
        ifMatch: known.version,
        signal,
      })
      return { outcome: storedVersion === known.version ? 'unchanged' : 'stored', ...target, storedVersion }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.outcome !== 'stale') throw error
      // The answer to an earlier pull was lost, or a person corrected the record here.
      const { version: storedVersion = known.version } = await this.#api.of(kind).read({ id: known.id, signal })
      if (await this.#isSame(kind, known.id, body, signal)) return { outcome: 'unchanged', ...target, storedVersion }
      return { outcome: 'kept', why: `It was changed here, too: record ${known.id} is left as it is.` }
    }
  }

  async #isSame(kind: RecordKindName, id: string, body: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    const { body: judged } = await this.#api.of(kind).replace({ id, body, dryRun: true, signal })
    return judged.wouldBe === 'unchanged'
  }

  async #void(id: string, reason: string, signal: AbortSignal): Promise<Ended> {
    const known = this.#journal.recordOf(id)
    // It was voided before it was ever pulled.
    if (known === undefined) return { outcome: 'unchanged' }
    const { version: storedVersion = known.version } = await this.#api.voidReceivingEvent({
      id: known.id,
      body: { reason },
      ifMatch: known.version,
      signal,
    })
    return { outcome: 'stored', storedId: known.id, storedVersion }
  }
}

/** The changes of each record, in order. */
function byRecord(changes: readonly Change[]): Change[][] {
  const records = new Map<string, Change[]>()
  for (const change of changes) records.set(change.id, [...(records.get(change.id) ?? []), change])
  return [...records.values()]
}

/** The entry of the history for a version: newest first, so mostly on the first page. */
async function versionSummary(
  listVersions: ReturnType<Client['of']>['listVersions'],
  id: string,
  version: number,
  signal: AbortSignal,
) {
  for (let cursor: string | undefined; ; ) {
    const { body } = await listVersions({ id, ...(cursor !== undefined && { cursor }), signal })
    const found = body.content.find((one) => one.version === version)
    if (found !== undefined || body.nextCursor === null) return found
    cursor = body.nextCursor
  }
}
