// Voiding an event that was entered by mistake: the question with its reason, and the mark
// on a record that is voided. Source: decision 0066.

import { useState } from 'preact/hooks'
import type { VersionSummary } from '../../../client/generated/shapes.ts'
import type { EventKindName } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { KeyName } from '../fields/key-name.tsx'
import { Instant } from '../frame/instant.tsx'
import { ReasonQuestion } from './reason-question.tsx'

interface VoidProps {
  readonly kind: EventKindName
  readonly id: string
  readonly version: number
  readonly onVoided: () => void
}

/** The button that voids the record, for writers. */
export function VoidEvent(props: VoidProps) {
  const [isAsking, setAsking] = useState(false)
  const mayWrite = useMay('writer')
  if (!mayWrite) return null
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Void…
      </button>
      {isAsking && <VoidQuestion {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

function VoidQuestion({ kind, id, version, onVoided, onClose }: VoidProps & { readonly onClose: () => void }) {
  const { api } = useOpenSession()
  const { noun } = sectionOf({ name: kind }).kind
  return (
    <ReasonQuestion
      title={`Void this ${noun}?`}
      words="Void event"
      busyWords="Voiding…"
      hint="For whoever reads the history, e.g. Entered twice, or Refused at the dock."
      blank="Say why the record was entered by mistake."
      send={async (reason) => {
        const request = { id, body: { reason }, ifMatch: version }
        await api[`void${capitalize(kind)}`](request)
        say(`The ${noun} is voided`)
        onClose()
        onVoided()
      }}
      onClose={onClose}
    >
      <p>
        It is left out of lists, traces, completeness and exports, and another event may have its date and time. It
        stays stored with its history, and can be restored.
      </p>
    </ReasonQuestion>
  )
}

/** Shows that a record is voided, by whom and why, and leads to the version before. */
export function VoidedMark({ kind, id, version }: Omit<VoidProps, 'onVoided'>) {
  const { api } = useOpenSession()
  const mayWrite = useMay('writer')
  const section = sectionOf({ name: kind })
  const at = hrefTo(`${section.path}/${id}`)
  const history = useRequest(
    async (signal) => (await api.of(kind).listVersions({ id, limit: 1, signal })).body.content[0],
    [id, version],
  )
  const latest = history.is === 'answered' ? history.value : undefined
  return (
    <section aria-label="Voided" class="callout error voided" tabIndex={-1} data-arrival>
      <p>
        <strong>Voided</strong> {latest?.voidReason != null && <VoidedBy version={latest} />}
      </p>
      <p>
        This {section.kind.noun} is left out of lists, traces, completeness and exports.{' '}
        {mayWrite && (
          <>
            <a href={`${at}/versions?restore=${version - 1}`}>Restore it</a> as it was, or{' '}
            <a href={`${at}/edit`}>edit and store it</a>.
          </>
        )}
      </p>
    </section>
  )
}

/** When, by whom and why a version voided its record. */
const VoidedBy = ({ version }: { readonly version: VersionSummary }) => (
  <>
    <Instant instant={version.submittedDateTime} toSecond /> by <KeyName name={version.keyName} id={version.keyId} />:{' '}
    <bdi>“{version.voidReason}”</bdi>
  </>
)
