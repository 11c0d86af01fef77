// Replaces a record: judged while it is edited, bound to the version it began from, with removed
// values shown first.
import { useRef } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Payload } from '../../drafts/draft.ts'
import { saveKeys } from '../../parts/frame/shortcuts.ts'
import { When } from '../../parts/frame/states.tsx'
import { Removed } from '../../parts/records/comparison.tsx'
import { PayloadEditor } from '../../parts/records/payload-editor.tsx'
import { ReasonField } from '../../parts/records/reason-field.tsx'
import { RecordHead } from '../../parts/records/record-head.tsx'
import { StaleEdit } from '../../parts/records/stale-edit.tsx'
import { changeCount } from '../../records/comparison.ts'
import { sectionAt } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { useAddress } from '../../state/frame/address.ts'
import { isStale } from '../../state/frame/guarded-save.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { hasEnvelope, type StoredRecord, useEditedRecord } from '../../state/records/edited-record.ts'
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

function Edit(stored: StoredRecord) {
  const { section, record } = stored
  const { draft, isKept, value, changes, isSame, isSending, dryRun, theirs, change, ...edit } = useEditedRecord(stored)
  const confirming = useRef<HTMLDialogElement>(null)
  const removed = changes?.removed ?? []
  if (theirs !== undefined && value !== undefined)
    return (
      <StaleEdit
        base={draft.base}
        baseVersion={draft.version}
        mine={value}
        theirs={theirs.content}
        theirVersion={theirs.version}
        onSettled={(content) =>
          change({ written: { value: content as Payload }, base: theirs.content, version: theirs.version })
        }
      />
    )
  return (
    <PayloadEditor
      section={section}
      written={draft.written}
      onWritten={(written) => change({ ...draft, written })}
      dryRun={dryRun}
    >
      {removed.length > 0 && <Removed pointers={removed} from="your draft" />}
      {dryRun?.is === 'failed' && isStale(dryRun.error) && (
        <ChangedMeanwhile version={draft.version} onShow={edit.showTheirs} />
      )}
      <ReasonField reason={draft.reason ?? ''} onReason={(reason) => change({ ...draft, reason })} />
      <p class="actions">
        <button
          type="button"
          class="main"
          aria-keyshortcuts={saveKeys}
          disabled={isSame || isSending || (dryRun?.is === 'judged' && dryRun.refused)}
          onClick={() => (removed.length > 0 ? confirming.current?.showModal() : edit.send())}
        >
          {isSending ? 'Sending…' : `Replace version ${draft.version}`}
        </button>
        {isKept && (
          <button type="button" onClick={edit.discard}>
            Discard draft
          </button>
        )}
      </p>
      <p class="quiet small">
        {changes !== undefined && `${pluralize(changeCount(changes), 'change')} against version ${draft.version}. `}
        Your draft replaces version {draft.version} as a whole, and only if that is still the current version.
        {isKept && ' Your draft is kept on this device, for you alone, until you send or discard it. '}
        {hasEnvelope(record) && ' Payload id and transmission time are left out: they belong to the previous payload.'}
      </p>
      <RemovalDialog dialog={confirming} removed={removed} onSend={edit.send} />
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
      <button type="submit" class="danger" onClick={onSend}>
        Remove and replace
      </button>
      <button type="submit" autofocus>
        Keep editing
      </button>
    </form>
  </dialog>
)
