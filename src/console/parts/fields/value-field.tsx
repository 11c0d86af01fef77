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
  /** Called when a value was chosen from the list, which sends no input event. */
  readonly onPick?: (() => void) | undefined
}

export function ValueField({ of, label, hint, defaultValue = '', placeholder = '', ...input }: Props) {
  const { api } = useOpenSession()
  const hintId = hint === undefined ? undefined : `${input.id}-hint`
  return (
    <div class="form-field">
      <label for={input.id}>{label}</label>
      <ValuePicker
        {...input}
        value={defaultValue}
        many={false}
        nouns="events"
        about={of}
        ask={(containing, signal) => readEventValues(api, of, containing, signal)}
        placeholder={placeholder}
        aria-describedby={hintId}
      />
      {hint !== undefined && (
        <p id={hintId} class="quiet small">
          {hint}
        </p>
      )}
    </div>
  )
}
