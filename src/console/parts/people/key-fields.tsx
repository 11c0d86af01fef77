// What is set of a key or a person: the name, the label and the role.
import type { KeySummary } from '../../../client/generated/shapes.ts'
import { type OwnRole, ownRoles, type Role } from '../../../contract/role.ts'
import type { Shape } from '../../../contract/shape/field.ts'
import { NewKey } from '../../../operations/people/keys.ts'
import { TextField } from '../fields/text-field.tsx'

export const roleWords: Readonly<Record<Role, string>> = {
  invited: 'accepts an invitation',
  partner: 'reads what is shared with it',
  reader: 'reads everything and changes nothing',
  writer: 'reads, creates and replaces records',
  administrator: 'reads, writes, creates and revokes keys, sets legal holds and reads the access log',
}

const { label: labelShape, personName: personShape } = (NewKey as Shape).properties ?? {}

/** What is set of a key, as it is sent. */
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
}

export function KeyFields({ form, known, isOwn = false }: FieldsProps) {
  return (
    <>
      {known?.isPerson ? (
        // The identity provider says it, at each sign-in.
        <input type="hidden" name="personName" value={known.personName ?? ''} />
      ) : (
        <TextField
          id={`${form}-person`}
          label="Person (optional)"
          name="personName"
          defaultValue={known?.personName ?? ''}
          hint={personShape?.description}
        />
      )}
      <TextField
        id={`${form}-label`}
        label="Label"
        name="label"
        required
        defaultValue={known?.label ?? ''}
        hint={labelShape?.description}
      />
      <div class="form-field">
        <label for={`${form}-role`}>Role</label>
        <select id={`${form}-role`} name="role" aria-describedby={`${form}-role-hint`} disabled={isOwn}>
          {ownRoles.map((role) => (
            <option key={role} value={role} selected={role === (known?.role ?? 'reader')}>
              {role}
            </option>
          ))}
        </select>
        <p id={`${form}-role-hint`} class="quiet small">
          {isOwn
            ? 'You are signed in with it. Another administrator can change its role.'
            : `${ownRoles.map((role) => `${role}: ${roleWords[role]}`).join('; ')}.`}
        </p>
      </div>
    </>
  )
}
