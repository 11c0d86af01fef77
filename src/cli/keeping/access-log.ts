// `lotkeeper access-log`: who received which data, and who changed keys and holds or purged.

import type { ListAccessLogRequest } from '../../client/generated/methods.ts'
import type { AccessEntry } from '../../client/generated/shapes.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import type { Column } from '../../terminal/table.ts'
import { withClient } from '../base/remote.ts'
import type { ListOptions } from '../records/list.ts'
import { writePages } from '../records/list.ts'

export const accessLog = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListAccessLogRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listAccessLog, query, columns, { json, all, nouns: 'entries' }),
  )

const columns: readonly Column<AccessEntry>[] = [
  { heading: 'when', cell: ({ beganDateTime }) => `${beganDateTime.slice(0, 19)}Z` },
  { heading: 'who', cell: ({ keyName, who }) => keyName ?? who },
  { heading: 'operation', cell: ({ operation }) => operation },
  { heading: 'ended', cell: ({ ending }) => ending },
  { heading: 'records', cell: ({ records }) => records?.toLocaleString('en') ?? '', right: true },
  { heading: 'bytes', cell: ({ bytes }) => bytes?.toLocaleString('en') ?? '', right: true },
  {
    heading: 'asked',
    cell: ({ asked }) =>
      Object.entries(asked)
        .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' '),
  },
]
