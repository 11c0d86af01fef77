// An edit of a record: its draft, the changes against the version it began from, what the rules say
// of it, and what another user stored meanwhile.
import { useMemo, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import { differencesBetween } from '../../../contract/differences.ts'
import { type Payload, readWritten } from '../../drafts/draft.ts'
import { type Draft, draftOf, dropDraft, keepDraft } from '../../drafts/drafts.ts'
import { type DryRun, judgedBy, useDryRun } from '../../drafts/dry-run.ts'
import { changeCount } from '../../records/comparison.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { failureWords } from '../../words/failure-words.ts'
import { go } from '../frame/address.ts'
import { type Edited, isStale } from '../frame/guarded-save.ts'
import { useOpenSession } from '../frame/session.ts'
import { say } from '../frame/toasts.ts'

export interface StoredRecord {
  readonly section: RecordSection
  readonly id: string
  readonly record: AnyRecord
  readonly version: number
}

interface Edit {
  readonly draft: Draft
  readonly isSending: boolean
  /** Why the service rejected the draft. */
  readonly refusal?: DryRun
  /** The record as another user stored it meanwhile. */
  readonly theirs?: Edited<unknown>
}

export function useEditedRecord({ section, id, record, version }: StoredRecord) {
  const records = useOpenSession().api.of(section.kind.name)
  const begin = (): Draft => {
    const content = contentOf(record)
    return { written: { value: content }, base: content, version }
  }
  const [edit, setEdit] = useState<Edit>(() => ({ draft: draftOf(id) ?? begin(), isSending: false }))
  const { draft, isSending, refusal, theirs } = edit
  const { written, base } = draft
  const reading = useMemo(() => readWritten(written), [written])
  const value = 'value' in reading ? withoutId(reading.value) : undefined
  const changes = useMemo(() => (value === undefined ? undefined : differencesBetween(base, value)), [base, reading])
  const isSame = changes === undefined || changeCount(changes) === 0
  const dryRun = useJudgedEdit(reading, isSame, { section, id, record, version: draft.version })

  const change = (next: Draft) => {
    setEdit({ draft: next, isSending })
    keepDraft(id, next)
  }
  const discard = () => {
    dropDraft(id)
    setEdit({ draft: begin(), isSending })
  }
  const showTheirs = async () => {
    const { body, version: current = 1 } = await records.read({ id })
    setEdit((before) => ({ ...before, theirs: { content: contentOf(body), version: current } }))
  }
  const send = async () => {
    if (!('value' in reading)) return
    setEdit({ draft, isSending: true })
    const reason = draft.reason?.trim() || undefined
    try {
      const answer = await records.replace({
        id,
        body: reading.value,
        ifMatch: draft.version,
        reason,
        representation: true,
      })
      dropDraft(id)
      const now = answer.version ?? draft.version
      say(now === draft.version ? 'Nothing changed: no new version was created' : `Stored as version ${now}`)
      go(`${section.path}/${id}`)
    } catch (error) {
      const stale = isStale(error)
      setEdit((before) => ({ ...before, isSending: false, ...(!stale && { refusal: judgedBy(error) }) }))
      if (stale) return showTheirs()
      say(failureWords(error).title, 'failed')
    }
  }
  return {
    draft,
    value,
    changes,
    isSame,
    isSending,
    dryRun: refusal ?? dryRun,
    theirs,
    change,
    discard,
    showTheirs,
    send,
  }
}

/** What the rules say of the draft; while nothing is changed, of the record as it is stored. */
function useJudgedEdit(
  reading: ReturnType<typeof readWritten>,
  isSame: boolean,
  { section, id, record, version }: StoredRecord,
): DryRun | undefined {
  const records = useOpenSession().api.of(section.kind.name)
  const stored = useMemo(() => withoutId({ ...record }), [record])
  const written = 'value' in reading ? reading.value : undefined
  const judged = useDryRun(
    written !== undefined && isSame ? stored : written,
    (body, signal) => records.replace({ id, body, dryRun: true, ifMatch: version, signal }),
    version,
  )
  return isSame ? withoutOwnPayloadId(judged) : judged
}

interface Envelope {
  readonly payloadId?: unknown
  readonly transmissionDateTime?: unknown
}

export const hasEnvelope = ({ payloadId, transmissionDateTime }: AnyRecord & Envelope): boolean =>
  payloadId !== undefined || transmissionDateTime !== undefined

/**
 * The content: the record without its id, which is in the address, and without the payload's own
 * fields. Its payload id sent again would be a warning with every correction.
 */
const contentOf = ({ id: _, payloadId: _payload, transmissionDateTime: _sent, ...content }: AnyRecord & Envelope) =>
  content

/** A draft may carry the id of the record, as a read returns it. */
function withoutId({ id: _, ...content }: Payload): Payload {
  return content
}

/** A record judged as it is stored was made by the payload whose id it has. */
function withoutOwnPayloadId(judged: DryRun | undefined): DryRun | undefined {
  if (judged?.is !== 'judged') return judged
  const findings = judged.findings.filter(({ pointer }) => pointer !== '/payloadId')
  const gone = judged.findings.length - findings.length
  const severities = { ...judged.severities, warning: judged.severities.warning - gone }
  return { ...judged, findings, findingCount: judged.findingCount - gone, severities }
}
