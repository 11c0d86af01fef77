// `lotkeeper versions`: the versions of a record.
import type { VersionSummary } from '../../client/generated/shapes.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import type { Column } from '../../terminal/table.ts'
import { writePages } from '../base/answers.ts'
import { askOfKind, type KindWord, kinds } from '../base/kinds.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

export const versions = (
  id: string,
  { kind, json, ...service }: RemoteOptions & { readonly kind?: KindWord },
): Promise<CommandEnd> =>
  withClient({ ...service, json }, (api) =>
    // Without reading the record first: a purged one cannot be read, and still has this list.
    askOfKind(
      kind,
      (word) => writePages(api.of(kinds[word].name).listVersions, { id }, { nouns: 'versions', columns, json }),
      (what) => `There is no ${what} with id ${id}. lotkeeper list shows ids.`,
    ),
  )

const columns: readonly Column<VersionSummary>[] = [
  { heading: 'version', cell: ({ version }) => String(version), right: true },
  { heading: 'submitted', cell: ({ submittedDateTime }) => submittedDateTime },
  { heading: 'by', cell: ({ keyName, keyId }) => keyName ?? keyId },
  { heading: 'findings', cell: ({ findingCount }) => String(findingCount ?? 'purged'), right: true },
  { heading: 'payload', cell: ({ payloadId }) => payloadId ?? '' },
  { heading: 'reason', cell: ({ reason }) => reason ?? '' },
  { heading: 'voided', cell: ({ voidReason }) => voidReason ?? '' },
]
