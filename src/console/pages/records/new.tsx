// A new record: it begins empty, and is validated while it is written.
import { PageHead } from '../../parts/frame/page-head.tsx'
import { saveKeys } from '../../parts/frame/shortcuts.ts'
import { Empty } from '../../parts/frame/states.tsx'
import { PayloadEditor } from '../../parts/records/payload-editor.tsx'
import { type RecordSection, sectionAt } from '../../records/record-sections.ts'
import { useAddress } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { useNewRecord } from '../../state/records/new-record.ts'

export function NewPage() {
  const section = sectionAt(useAddress().path)
  const { noun, nouns } = section.kind
  if (useMay('writer')) return <New section={section} />
  return (
    <>
      <PageHead title={`New ${noun}`} />
      <Empty title={`This key cannot create ${nouns}`}>
        <p>Sign in with a writer key to create one.</p>
      </Empty>
    </>
  )
}

function New({ section }: { readonly section: RecordSection }) {
  const { noun } = section.kind
  const record = useNewRecord(section)
  return (
    <>
      <PageHead title={`New ${noun}`}>
        <p class="quiet">
          The service checks what you enter. Nothing is stored until you create the record; until then your draft is
          kept on this device, for you alone.
        </p>
      </PageHead>
      <PayloadEditor
        section={section}
        written={record.written}
        onWritten={record.write}
        dryRun={record.dryRun}
        isNew
        notice={
          record.isUnchangedExample ? (
            <div class="callout" role="status">
              <p>
                <strong>This is the example.</strong> It is made up, so it cannot be created. Change it to what you want
                to record.
              </p>
            </div>
          ) : record.isEmpty ? (
            <p role="status" class="quiet">
              Nothing is entered yet. Fields marked “required” are needed before the {noun} can be created.
            </p>
          ) : undefined
        }
        actions={
          <p class="actions">
            {record.isEmpty ? (
              <button type="button" onClick={record.fillIn}>
                Fill in an example
              </button>
            ) : (
              <button type="button" onClick={record.startOver}>
                Start over
              </button>
            )}
          </p>
        }
      >
        <p class="actions">
          <button
            type="button"
            class="main"
            aria-keyshortcuts={saveKeys}
            disabled={!record.mayBeSent}
            onClick={record.send}
          >
            {record.isSending ? 'Sending…' : `Create ${noun}`}
          </button>
        </p>
      </PayloadEditor>
    </>
  )
}
