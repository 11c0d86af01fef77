// The rows of a list that are still shared: records may be withdrawn while a partner looks at it.
import type { ComponentChildren } from 'preact'
import type { AnyRecord, Client } from '../../../client/client.ts'
import { ProblemError } from '../../../client/failure.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { useLiveChanges } from '../../state/frame/live-changes.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'

interface Props {
  readonly section: RecordSection
  readonly rows: readonly AnyRecord[]
  readonly children: (rows: readonly AnyRecord[]) => ComponentChildren
}

export function WithoutWithdrawn({ section: { kind }, rows, children }: Props) {
  const { api } = useOpenSession()
  const live = useLiveChanges({ kind: kind.name })
  const changes = live.asked.is === 'answered' ? live.asked.value : []
  const purged = new Set(changes.filter(({ type }) => type.endsWith('.purged')).map(({ id }) => id))
  // What was purged may be an earlier version of a record that is still there.
  const suspects = rows.filter(({ id }) => purged.has(id)).map(({ id }) => id)
  const asked = useRequest((signal) => withdrawnOf(api, { kind: kind.name, ids: suspects, signal }), [suspects])
  const withdrawn = new Set(asked.is === 'answered' ? asked.value : [])
  return (
    <>
      {withdrawn.size > 0 && (
        <p class="callout" role="status">
          {pluralize(withdrawn.size, kind.noun)} {withdrawn.size === 1 ? 'is' : 'are'} not shared with you any more, and
          no longer in this list.
        </p>
      )}
      {children(rows.filter(({ id }) => !withdrawn.has(id)))}
    </>
  )
}

interface Asked {
  readonly kind: RecordSection['kind']['name']
  readonly ids: readonly string[]
  readonly signal: AbortSignal
}

/** Those of the records that the service does not have any more. */
async function withdrawnOf(api: Client, { kind, ids, signal }: Asked): Promise<readonly string[]> {
  const gone = await Promise.all(
    ids.map((id) =>
      api
        .of(kind)
        .read({ id, signal })
        .then(() => [])
        .catch((error: unknown) => {
          if (error instanceof ProblemError && [404, 410].includes(error.status)) return [id]
          throw error
        }),
    ),
  )
  return gone.flat()
}
