// An edit of a record: its draft, the changes against the version it began from, what the rules say
// of it, and what another user stored meanwhile.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import { differencesBetween } from '../../../contract/differences.ts'
import { type Payload, readWritten } from '../../drafts/draft.ts'
import { type Draft, draftOf, dropDraft, followDraft, keepDraft } from '../../drafts/drafts.ts'
import { type DryRun, judgedBy, useDryRun } from '../../drafts/dry-run.ts'
import { changeCount } from '../../records/comparison.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { failureWords } from '../../words/failure-words.ts'
import { go } from '../frame/address.ts'
import { draftPlace } from '../frame/device.ts'
import { differs, type Edited, isStale } from '../frame/guarded-save.ts'
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
  /** False while nothing was written: the draft is the record as it is stored. */
  readonly isKept: boolean
  readonly isSending: boolean
  /** Why the service rejected the draft. */
  readonly refusal?: DryRun
  /** The record as another user stored it meanwhile. */
  readonly theirs?: Edited<unknown>
}

export function useEditedRecord({ section, id, record, version }: StoredRecord) {
  const { api, key } = useOpenSession()
  const records = api.of(section.kind.name)
  const place = draftPlace(key, id)
  const begin = (): Draft => {
    const content = contentOf(record)
    return { written: { value: content }, base: content, version }
  }
  const open = (): Edit => {
    const kept = draftOf(place)
    return { draft: kept ?? begin(), isKept: kept !== undefined, isSending: false }
  }
  const [edit, setEdit] = useState(open)
  const { draft, isKept, isSending, refusal, theirs } = edit
  const { written, base } = draft
  const reading = useMemo(() => readWritten(written), [written])
  const value = 'value' in reading ? withoutId(reading.value) : undefined
  const changes = useMemo(() => (value === undefined ? undefined : differencesBetween(base, value)), [base, reading])
  const isSame = changes === undefined || changeCount(changes) === 0
  const dryRun = useJudgedEdit(reading, { isSame, isSending }, { section, id, record, version: draft.version })

  // Another tab of the same person goes on with it, or has sent or discarded it.
  useEffect(() => followDraft(place, () => setEdit(open())), [place])

  const change = (next: Draft) => {
    setEdit({ draft: next, isKept: true, isSending })
    keepDraft(place, next)
  }
  const discard = () => {
    dropDraft(place)
    setEdit(open())
  }
  const finish = (now: number) => {
    dropDraft(place)
    say(now === draft.version ? 'Nothing changed: no new version was created' : `Stored as version ${now}`)
    go(`${section.path}/${id}`)
  }
  const showTheirs = async () => {
    const { body, version: current = 1 } = await records.read({ id })
    const content = contentOf(body)
    // It was stored, and the answer was lost.
    if (value !== undefined && !differs(value, content)) return finish(current)
    setEdit((before) => ({ ...before, theirs: { content, version: current } }))
  }
  const send = async () => {
    if (!('value' in reading)) return
    setEdit({ draft, isKept, isSending: true })
    const reason = draft.reason?.trim() || undefined
    try {
      const answer = await records.replace({
        id,
        body: reading.value,
        ifMatch: draft.version,
        reason,
        representation: true,
      })
      finish(answer.version ?? draft.version)
    } catch (error) {
      const stale = isStale(error)
      setEdit((before) => ({ ...before, isSending: false, ...(!stale && { refusal: judgedBy(error) }) }))
      if (stale) return showTheirs()
      say(failureWords(error).title, 'failed')
    }
  }
  return {
    draft,
    isKept,
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
  { isSame, isSending }: { readonly isSame: boolean; readonly isSending: boolean },
  { section, id, record, version }: StoredRecord,
): DryRun | undefined {
  const records = useOpenSession().api.of(section.kind.name)
  const stored = useMemo(() => withoutId({ ...record }), [record])
  const written = 'value' in reading ? reading.value : undefined
  const judged = useDryRun(
    { value: written !== undefined && isSame ? stored : written, isSending },
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
