// The settings of a key or a person: name, label and role.
import type { KeySummary } from '../../../client/generated/shapes.ts'
import { type OwnRole, ownRoles, type Role } from '../../../contract/role.ts'
import type { Shape } from '../../../contract/shape/field.ts'
import { NewKey } from '../../../operations/people/keys.ts'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'

export const roleWords: Readonly<Record<Role, string>> = {
  invited: 'accepts an invitation',
  partner: 'reads what is shared with it',
  reader: 'reads everything and changes nothing',
  writer: 'reads, creates and replaces records',
  administrator: 'reads, writes, creates and revokes keys, sets legal holds and reads the access log',
}

const { label: labelShape, personName: personShape } = (NewKey as Shape).properties ?? {}

/** The settings of a key, as they are sent. */
export const settingsIn = (text: (name: string) => string, role = text('role') as OwnRole) => ({
  role,
  label: text('label'),
  ...(text('personName') !== '' && { personName: text('personName') }),
})

interface FieldsProps {
  /** Before each id, since two forms may be on the page. */
  readonly form: string
  readonly known?: Pick<KeySummary, 'label' | 'personName' | 'role' | 'isPerson'>
  /** Whose role stays as it is. */
  readonly isOwn?: boolean
  /** Further fields at the end. */
  readonly more?: readonly SettingField[]
}

export const KeyFields = ({ form, known, isOwn = false, more = [] }: FieldsProps) => (
  <>
    {/* The identity provider sends the name at each sign-in. */}
    {known?.isPerson && <input type="hidden" name="personName" value={known.personName ?? ''} />}
    <SettingFields
      form={form}
      fields={[
        !known?.isPerson && { name: 'personName', label: 'Person (optional)', hint: personShape?.description },
        { name: 'label', label: 'Label', required: true, hint: labelShape?.description },
        {
          is: 'choice',
          name: 'role',
          label: 'Role',
          disabled: isOwn,
          choices: ownRoles.map((role) => [role, role]),
          hint: isOwn
            ? 'You are signed in with it. Another administrator can change its role.'
            : `${ownRoles.map((role) => `${role}: ${roleWords[role]}`).join('; ')}.`,
        },
        ...more,
      ]}
      values={{ role: 'reader', ...known }}
    />
  </>
)
