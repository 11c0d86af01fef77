// A field of a form for a vendor or a location: it offers those of stored events, and takes any
// other text.
import { readEventValues } from '../../records/event-values.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { ValuePicker } from './value-picker.tsx'

interface Props {
  readonly id: string
  /** In the form that is sent. */
  readonly name: string
  readonly of: 'dataProviderVendorId' | 'shipToLocationCode'
  readonly label: string
  readonly hint?: string | undefined
  /** The meaning of an empty field. */
  readonly placeholder?: string
  readonly defaultValue?: string
  readonly required?: boolean
  readonly disabled?: boolean
  /** Called when a value was chosen from the list, which is no input. */
  readonly onPick?: () => void
}

export function ValueField({
  id,
  name,
  of,
  label,
  hint,
  defaultValue = '',
  placeholder = '',
  required = false,
  disabled = false,
  onPick,
}: Props) {
  const { api } = useOpenSession()
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <ValuePicker
        id={id}
        name={name}
        value={defaultValue}
        many={false}
        nouns="events"
        about={of}
        ask={(containing, signal) => readEventValues(api, of, containing, signal)}
        placeholder={placeholder}
        describedBy={hint === undefined ? undefined : `${id}-hint`}
        required={required}
        disabled={disabled}
        {...(onPick && { onPick })}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      )}
    </div>
  )
}
