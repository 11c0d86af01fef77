// The table of people and keys: all of the provider are in the page.

import type { KeySummary } from '../../client/generated/shapes.ts'
import { Instant } from '../parts/frame/instant.tsx'
import type { DrawnColumn } from './drawn-column.ts'
import type { LocalTable } from './local-table.ts'
import { Cut } from './record-columns.tsx'

/** The person who uses the key, else its label. */
export const nameOf = ({ personName, label, keyId }: KeySummary): string => personName ?? (label || keyId)

export const stateTags = { revoked: 'removed', expired: 'replaced', invited: 'replaced', valid: 'added' } as const

/** Whether the key is still valid by the clock of the browser. The service uses its own clock. */
export const stateOf = ({
  revokedDateTime,
  expiresDateTime,
  isPerson,
  lastUsedDateTime,
}: KeySummary): keyof typeof stateTags =>
  revokedDateTime !== null
    ? 'revoked'
    : expiresDateTime !== null && Date.parse(expiresDateTime) < Date.now()
      ? 'expired'
      : isPerson && lastUsedDateTime === null
        ? 'invited'
        : 'valid'

/** Who signs in: a person through the identity provider, or the holder of the key. */
const kindOf = ({ isPerson }: KeySummary): string => (isPerson ? 'person' : 'key')

const column = (
  name: string,
  heading: string,
  text: DrawnColumn<KeySummary>['text'],
  more: Partial<DrawnColumn<KeySummary>> = {},
): DrawnColumn<KeySummary> => ({
  name,
  heading,
  sort: name,
  share: 12,
  text,
  cell: (key) => <Cut text={text(key)} />,
  ...more,
})

type InstantName = 'lastUsedDateTime' | 'createdDateTime' | 'expiresDateTime'
const instant = (name: InstantName, heading: string, never: string, more: Partial<DrawnColumn<KeySummary>> = {}) =>
  column(name, heading, (key) => key[name] ?? '', {
    shown: true,
    share: 23,
    cell: (key) => <Instant instant={key[name]} never={never} />,
    ...more,
  })

const several = (meaning: string) => ({ form: 'text', meaning, example: '', many: true }) as const

export const keyTable: LocalTable<KeySummary, DrawnColumn<KeySummary>> = {
  path: '/keys',
  words: 'People and keys',
  nouns: 'people or keys',
  list: 'key',
  sort: 'createdDateTime',
  search: 'text',
  filters: {
    text: { form: 'text', meaning: 'Part of a name, label, address or id.', example: 'Name, label or id' },
    state: several('Only those in this state.'),
    role: several('Only those with this role.'),
    kind: several('People who sign in with the identity provider, or keys.'),
  },
  picked: ['state', 'role', 'kind'],
  valuesIn: {
    state: (key) => [{ value: stateOf(key) }],
    role: ({ role }) => [{ value: role }],
    kind: (key) => [{ value: kindOf(key) }],
  },
  textIn: (key) => [nameOf(key), key.label, key.email].join(' '),
  idsIn: ({ keyId }) => [keyId],
  columns: [
    column('name', 'Person or label', nameOf, { shown: true, share: 22 }),
    column('kind', 'Kind', kindOf, { share: 8 }),
    column('role', 'Role', ({ role }) => role, { shown: true, share: 12 }),
    column('state', 'State', stateOf, {
      shown: true,
      share: 9,
      cell: (key) => <span class={`tag ${stateTags[stateOf(key)]}`}>{stateOf(key)}</span>,
    }),
    instant('lastUsedDateTime', 'Last used', 'never used'),
    instant('createdDateTime', 'Created', '', { wide: true }),
    instant('expiresDateTime', 'Expires', 'does not expire'),
    column('label', 'Label', ({ label }) => label, { share: 20 }),
    column('email', 'E-mail address', ({ email }) => email ?? '', { share: 22 }),
    column('keyId', 'Key id', ({ keyId }) => keyId, {
      shown: true,
      share: 16,
      cell: ({ keyId }) => <code class="quiet">{keyId}</code>,
      wide: true,
    }),
  ],
}
