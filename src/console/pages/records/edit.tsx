// Replaces a record: judged while it is edited, bound to the version it began from, with removed
// values shown first.
import { useMemo, useRef, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import { ProblemError } from '../../../client/failure.ts'
import { differencesBetween } from '../../../contract/differences.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { type Payload, readWritten } from '../../drafts/draft.ts'
import { type Draft, draftOf, dropDraft, keepDraft } from '../../drafts/drafts.ts'
import { type DryRun, judgedBy, useDryRun } from '../../drafts/dry-run.ts'
import { When } from '../../parts/frame/states.tsx'
import { Removed } from '../../parts/records/comparison.tsx'
import { PayloadEditor } from '../../parts/records/payload-editor.tsx'
import { RecordHead } from '../../parts/records/record-head.tsx'
import { StaleEdit } from '../../parts/records/stale-edit.tsx'
import { changeCount } from '../../records/comparison.ts'
import { type RecordSection, sectionAt } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { go, useAddress } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureWords } from '../../words/failure-words.ts'
import type { PageProps } from '../frame/page.ts'

export function EditPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const section = sectionAt(useAddress().path)
  const record = useRequest((signal) => api.of(section.kind.name).read({ id, signal }), [section.path, id])
  const name = record.is === 'answered' ? recordName(section.kind.name, record.value.body) : undefined
  return (
    <>
      <RecordHead section={section} id={id} tab="edit" name={name} unknown={record.is === 'failed'} />
      <When asked={record} what={`the ${section.kind.noun}`}>
        {({ body, version = 1 }) => <Edit section={section} id={id} record={body} version={version} />}
      </When>
    </>
  )
}

interface EditProps {
  readonly section: RecordSection
  readonly id: string
  readonly record: AnyRecord
  readonly version: number
}

/**
 * The content: the record without its id, which is in the address, and without the payload's own
 * fields. Its payload id sent again would be a warning with every correction.
 */
const contentOf = ({ id: _, payloadId: _payload, transmissionDateTime: _sent, ...content }: AnyRecord & Envelope) =>
  content

interface Envelope {
  readonly payloadId?: unknown
  readonly transmissionDateTime?: unknown
}

function Edit({ section, id, record, version }: EditProps) {
  const { api } = useOpenSession()
  const begun = (): Draft => {
    const content = contentOf(record)
    return { written: { value: content }, base: content, version }
  }
  const [draft, setDraft] = useState<Draft>(() => draftOf(id) ?? begun())
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<DryRun>()
  const [stale, setStale] = useState<{ readonly theirs: unknown; readonly version: number }>()
  const confirming = useRef<HTMLDialogElement>(null)

  const { written, base } = draft
  const reading = useMemo(() => readWritten(written), [written])
  const value = 'value' in reading ? reading.value : undefined
  const changes = useMemo(
    () => (value === undefined ? undefined : differencesBetween(base, withoutId(value))),
    [base, value],
  )
  const judge = (body: Payload, signal: AbortSignal) =>
    api.of(section.kind.name).replace({ id, body, dryRun: true, ifMatch: draft.version, signal })
  const isSame = changes === undefined || changeCount(changes) === 0
  // Nothing was changed yet: the record is judged as it is stored.
  const stored = useMemo(() => withoutId({ ...record }), [record])
  const judged = useDryRun(value !== undefined && isSame ? stored : value, judge, draft.version)
  const dryRun = isSame ? withoutOwnPayloadId(judged) : judged
  const isStale = dryRun?.is === 'failed' && dryRun.error instanceof ProblemError && dryRun.error.status === 412

  const change = (next: Draft) => {
    setDraft(next)
    setRefusal(undefined)
    keepDraft(id, next)
  }
  const findTheirs = async () => {
    const { body, version } = await api.of(section.kind.name).read({ id })
    setStale({ theirs: contentOf(body), version: version ?? 1 })
  }
  const send = async () => {
    if (value === undefined) return
    confirming.current?.close()
    setSending(true)
    try {
      const answer = await api
        .of(section.kind.name)
        .replace({ id, body: value, ifMatch: draft.version, representation: true })
      dropDraft(id)
      const now = answer.version ?? draft.version
      say(now === draft.version ? 'Nothing changed: no new version was created' : `Stored as version ${now}`)
      go(`${section.path}/${id}`)
    } catch (error) {
      setSending(false)
      if (error instanceof ProblemError && error.status === 412) return findTheirs()
      setRefusal(judgedBy(error))
      say(failureWords(error).title, 'failed')
    }
  }

  const removed = changes?.removed ?? []
  if (stale !== undefined && value !== undefined)
    return (
      <StaleEdit
        base={draft.base}
        baseVersion={draft.version}
        mine={withoutId(value)}
        theirs={stale.theirs}
        theirVersion={stale.version}
        onSettled={(content) => {
          change({ written: { value: content as Payload }, base: stale.theirs, version: stale.version })
          setStale(undefined)
        }}
      />
    )
  return (
    <PayloadEditor
      section={section}
      written={written}
      onWritten={(next) => change({ ...draft, written: next })}
      dryRun={refusal ?? dryRun}
    >
      {removed.length > 0 && <Removed pointers={removed} from="your draft" />}
      {isStale && <ChangedMeanwhile version={draft.version} onShow={findTheirs} />}
      <p class="actions">
        <button
          type="button"
          class="main"
          disabled={isSame || sending || (dryRun?.is === 'judged' && dryRun.refused)}
          onClick={() => (removed.length > 0 ? confirming.current?.showModal() : send())}
        >
          {sending ? 'Sending…' : `Replace version ${draft.version}`}
        </button>
        {draftOf(id) !== undefined && (
          <button
            type="button"
            onClick={() => {
              dropDraft(id)
              setRefusal(undefined)
              setDraft(begun())
            }}
          >
            Discard draft
          </button>
        )}
      </p>
      <p class="quiet small">
        {changes !== undefined && `${pluralize(changeCount(changes), 'change')} against version ${draft.version}. `}
        Your draft replaces version {draft.version} as a whole, and only if that is still the current version.
        {hasEnvelope(record) && ' Payload id and transmission time are left out: they belong to the previous payload.'}
      </p>
      <RemovalDialog dialog={confirming} removed={removed} onSend={send} />
    </PayloadEditor>
  )
}

interface ChangedProps {
  /** That the draft began with. */
  readonly version: number
  readonly onShow: () => void
}

const ChangedMeanwhile = ({ version, onShow }: ChangedProps) => (
  <div class="callout error" role="alert">
    <p>
      <strong>The record has changed in the meantime.</strong> You started from version {version}.
    </p>
    <p>
      <button type="button" onClick={onShow}>
        See what changed
      </button>
    </p>
  </div>
)

interface RemovalProps {
  readonly dialog: { readonly current: HTMLDialogElement | null }
  /** Pointers of what the draft no longer has. */
  readonly removed: readonly string[]
  readonly onSend: () => void
}

const RemovalDialog = ({ dialog, removed, onSend }: RemovalProps) => (
  <dialog ref={dialog} aria-labelledby="removing">
    <h2 id="removing">This removes {pluralize(removed.length, 'field')}</h2>
    <Removed pointers={removed} from="your draft" />
    <form method="dialog" class="actions">
      <button type="button" class="danger" onClick={onSend}>
        Remove and replace
      </button>
      <button type="submit">Keep editing</button>
    </form>
  </dialog>
)

const hasEnvelope = ({ payloadId, transmissionDateTime }: AnyRecord & Envelope): boolean =>
  payloadId !== undefined || transmissionDateTime !== undefined

/** A record judged as it is stored was made by the payload whose id it has. */
function withoutOwnPayloadId(judged: DryRun | undefined): DryRun | undefined {
  if (judged?.is !== 'judged') return judged
  const findings = judged.findings.filter(({ pointer }) => pointer !== '/payloadId')
  const gone = judged.findings.length - findings.length
  const severities = { ...judged.severities, warning: judged.severities.warning - gone }
  return { ...judged, findings, findingCount: judged.findingCount - gone, severities }
}

/** A draft may carry the id of the record, as a read returns it. */
function withoutId(value: Payload): Payload {
  const { id: _, ...content } = value
  return content
}
