// Sends one record, so that sending it again makes nothing twice; and finds out what it differs in when something is there already.
import { createHash } from 'node:crypto'
import type { Client } from '../client/client.ts'
import { ProblemError, UnreachableError } from '../client/failure.ts'
import type { Changes } from '../contract/changes.ts'
import type { IntakeRecord, PlacedFinding } from '../intake/intake-record.ts'
import { placedFinding } from '../intake/judge-record.ts'
import { ask, operationsOf } from './kinds.ts'

export type Sent =
  | { readonly is: 'created' | 'replaced' | 'unchanged' | 'judged' }
  | { readonly is: 'rejected'; readonly findings: readonly PlacedFinding[] }

interface SendOptions {
  /** What holds the key of a record is replaced by it. */
  readonly replace: boolean
  /** The service judges, and stores nothing. */
  readonly dryRun: boolean
  /** Gives up what is in flight. */
  readonly signal: AbortSignal
}

interface Judged {
  readonly wouldBe: string
  readonly changes?: Changes
}

/** Times a replacement is tried again after somebody else was faster. */
const replaceTriesMax = 3

export async function sendRecord(client: Client, record: IntakeRecord, options: SendOptions): Promise<Sent> {
  const operations = operationsOf(record.kind)
  const { payload: body } = record
  const { signal } = options
  try {
    const holder = record.kind.name === 'masterProduct' ? await productHolding(client, record, signal) : undefined
    if (holder !== undefined) return await overHolder(client, record, holder, options)
    const { replayed, attempts } = await ask(client, operations.create, {
      body,
      signal,
      ...(options.dryRun ? { dryRun: true } : { idempotencyKey: keyOf(record) }),
    })
    if (options.dryRun) return { is: 'judged' }
    // The first answer to a call that was sent again was lost: what it made is what the second one finds.
    return { is: replayed && attempts === 1 ? 'unchanged' : 'created' }
  } catch (error) {
    if (!(error instanceof ProblemError) || !isAboutRecord(error)) throw error
    const { heldBy } = error.problem
    if (error.outcome === 'taken' && heldBy !== undefined && !Array.isArray(record.payload[record.kind.subject]))
      return overHolder(client, record, heldBy, options)
    return rejectedBy(error, record)
  }
}

/** The same content always has the same key, whatever file it stands in: an import that was broken off is simply run again. */
const keyOf = ({ kind, payload }: IntakeRecord): string =>
  `import-${createHash('sha256')
    .update(`${kind.name} ${JSON.stringify(payload)}`)
    .digest('hex')}`

/** Nothing guards the item codes of products, so a product that is there is looked for. */
async function productHolding(
  client: Client,
  { payload, kind }: IntakeRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  const product = payload[kind.subject]
  if (typeof product !== 'object' || product === null || Array.isArray(product)) return undefined
  const { dataProviderVendorId, itemCode } = product as Readonly<Record<string, unknown>>
  if (typeof dataProviderVendorId !== 'string' || typeof itemCode !== 'string') return undefined
  const { body } = await client.listMasterProducts({ dataProviderVendorId, itemCode, limit: 1, signal })
  return body.content[0]?.id
}

/** What the record would change in the one that holds its key; with `replace` it does. */
async function overHolder(client: Client, record: IntakeRecord, id: string, options: SendOptions): Promise<Sent> {
  const { payload: body } = record
  const { replace } = operationsOf(record.kind)
  const { signal } = options
  for (let attempt = 1; ; attempt++) {
    let version: number | undefined
    try {
      const judged = await ask<Judged>(client, replace, { id, body, signal, dryRun: true })
      version = judged.version
      if (judged.body.wouldBe === 'unchanged') return { is: 'unchanged' }
      if (!options.replace) return rejected(record, held(record, id, version, judged.body.changes))
      if (options.dryRun) return { is: 'judged' }
      await ask(client, replace, { id, body, signal, ...(version !== undefined && { ifMatch: version }) })
      return { is: 'replaced' }
    } catch (error) {
      // Whether the replacement took place is seen by comparing again: then nothing would change.
      const again = error instanceof UnreachableError || (error instanceof ProblemError && error.outcome === 'stale')
      if (again && attempt < replaceTriesMax) continue
      if (error instanceof ProblemError && isAboutRecord(error)) return rejectedBy(error, record)
      throw error
    }
  }
}

const changesShown = 8

function held({ kind }: IntakeRecord, id: string, version: number | undefined, changes: Changes | undefined): string {
  const lists = [
    ['adds', changes?.added ?? []],
    ['removes', changes?.removed ?? []],
    ['changes', changes?.replaced ?? []],
  ] as const
  const said = lists
    .filter(([, pointers]) => pointers.length > 0)
    .map(([verb, pointers]) => {
      const more = pointers.length > changesShown ? ` and ${pointers.length - changesShown} more` : ''
      return `${verb} ${pointers.slice(0, changesShown).join(', ')}${more}`
    })
  return `The ${kind.noun} is there already, as record ${id}, version ${version}. This one ${said.join('; ')}. With --replace it becomes the next version.`
}

const rejected = (record: IntakeRecord, message: string): Sent => ({
  is: 'rejected',
  findings: [{ severity: 'error', ...record.locate(''), message }],
})

/** An outcome that says something of this record; the others concern the whole import. */
const isAboutRecord = ({ status }: ProblemError): boolean => [400, 404, 409, 412, 413, 422].includes(status)

const rejectedBy = (error: ProblemError, record: IntakeRecord): Sent =>
  error.findings.length > 0
    ? { is: 'rejected', findings: error.findings.map((finding) => placedFinding(record, finding)) }
    : rejected(record, error.message)
