// `lotkeeper keys`: make, list and revoke keys. Works beside a running server, on both databases.

import type { Role } from '../contract/role.ts'
import { isCalendarDate } from '../contract/shape/date-and-time.ts'
import { type ApiKeySummary, createApiKey, listApiKeys, revokeApiKey } from '../store/base/api-keys.ts'
import { findProvider, provideProvider } from '../store/database/providers.ts'
import { commandLine } from '../store/evidence/access-log.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { type Column, tableText } from '../terminal/table.ts'
import { reportNodesAway, withOpenedDatabase } from './opened-database.ts'

interface CreateOptions {
  readonly provider: string
  readonly role: Role
  readonly label: string
  readonly person?: string
  readonly expires?: string
}

const nameLengthMax = 100

const isOneLine = (text: string): boolean => text.length <= nameLengthMax && !/\p{Cc}/u.test(text)

export async function createKey({ provider, role, label, person, expires }: CreateOptions): Promise<CommandEnd> {
  const name = provider.trim()
  if (name === '' || !isOneLine(name))
    return { problem: `--provider must be 1 to ${nameLengthMax} characters, on one line.`, calledWrongly: true }
  if (!isOneLine(label))
    return { problem: `--label must be at most ${nameLengthMax} characters, on one line.`, calledWrongly: true }
  const personName = person?.trim()
  if (personName !== undefined && (personName === '' || !isOneLine(personName)))
    return { problem: `--person must be 1 to ${nameLengthMax} characters, on one line.`, calledWrongly: true }
  if (expires !== undefined && !isCalendarDate(expires))
    return { problem: `--expires is ${expires}. It must be a date, yyyy-MM-dd.`, calledWrongly: true }
  const expiresAt = expires === undefined ? undefined : new Date(`${expires}T23:59:59Z`)
  if (expiresAt !== undefined && expiresAt < new Date())
    return { problem: `--expires is ${expires}, which is in the past.`, calledWrongly: true }
  return withOpenedDatabase(async (db) => {
    const away = reportNodesAway(db, `Every node keeps a new provider: create ${name} when all answer.`)
    if (away !== undefined && (await findProvider(db, name)) === undefined) return away
    const key = await createApiKey(
      db,
      { provider: await provideProvider(db, name), role, label, personName, expiresAt },
      commandLine,
    )
    process.stdout.write(`${key}\n`)
    process.stderr.write(
      `${role === 'administrator' ? 'An' : 'A'} ${role} key for provider ${name}. It is shown only once. Keep it safe.\n`,
    )
    return undefined
  })
}

export const listKeys = ({ json }: { readonly json?: boolean }): Promise<CommandEnd> =>
  withOpenedDatabase(async (db) => {
    const keys = await listApiKeys(db)
    const away = reportNodesAway(db, 'Keys of providers there are not listed.')
    if (json) process.stdout.write(`${JSON.stringify(keys, undefined, 2)}\n`)
    else if (keys.length > 0) process.stdout.write(tableText(columns, keys))
    else if (away === undefined) process.stdout.write('There are no keys. Create one with: lotkeeper keys create\n')
    return away
  })

export const revokeKey = (keyId: string): Promise<CommandEnd> =>
  withOpenedDatabase(async (db) => {
    // People paste whole keys too; a whole key contains its id.
    const id = /^lk_([0-9a-f]+)/.exec(keyId)?.[1] ?? keyId
    if (!(await revokeApiKey(db, id)))
      return (
        reportNodesAway(db, `The others have no key with id ${id}.`) ?? {
          problem: `There is no key with id ${id}. lotkeeper keys list shows the ids.`,
        }
      )
    process.stdout.write(`Key ${id} is revoked. Servers reject it within two seconds.\n`)
    return undefined
  })

const columns: readonly Column<ApiKeySummary>[] = [
  { heading: 'key id', cell: ({ keyId }) => keyId },
  {
    heading: 'provider',
    cell: ({ provider, sharedBy }) => (sharedBy === null ? provider : `${provider} (partner of ${sharedBy})`),
  },
  { heading: 'role', cell: ({ role }) => role },
  { heading: 'state', cell: stateOf },
  { heading: 'label', cell: ({ label }) => label },
  { heading: 'person', cell: ({ personName }) => personName ?? '' },
  { heading: 'last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : day(lastUsedAt)) },
  { heading: 'created', cell: ({ createdAt }) => day(createdAt) },
]

function stateOf({ revokedAt, expiresAt }: ApiKeySummary): string {
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`
  if (expiresAt === null) return 'valid'
  return `${expiresAt < new Date() ? 'expired' : 'valid to'} ${day(expiresAt)}`
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
