// Findings of a record in a list: asked of the service, so that the list agrees with the page of
// the record.
import type { RecordKindName } from '../../../contract/record-kinds.ts'
import { useRequest } from '../../state/frame/request.ts'
import { runQueued } from '../../state/frame/request-queue.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { SeverityCounts } from './severity-counts.tsx'

interface Props {
  readonly kind: RecordKindName
  readonly id: string
}

export function ListedFindings({ kind, id }: Props) {
  const { api } = useOpenSession()
  const asked = useRequest(
    (signal) =>
      runQueued(signal, async () => (await api.of(kind).readFindings({ id, judged: 'now', limit: 1, signal })).body),
    [kind, id],
  )
  switch (asked.is) {
    case 'asking':
      return <span class="hidden">loading</span>
    case 'failed':
      return (
        <span class="quiet" title="The service did not answer.">
          ?<span class="hidden"> not known</span>
        </span>
      )
    case 'answered':
      return <SeverityCounts counts={asked.value.severities} />
  }
}
