// Fields of a form, declared: the label of each, its hint, and how it is entered.
import type { InputHTMLAttributes } from 'preact'
import { DateInput } from './date-input.tsx'
import { type Choices, Select } from './select.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'
import { ValueField } from './value-field.tsx'

interface Declared {
  /** In the form that is sent. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** What an empty field means, or an example. */
  readonly placeholder?: string
  readonly required?: boolean
  readonly isWide?: boolean
  readonly disabled?: boolean
}

type TextInput = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'min' | 'max' | 'step' | 'maxLength' | 'spellcheck' | 'readOnly'
> & { readonly type?: 'email' | 'number' | 'url' }

/**
 * A text or a number; a value of stored events; a time zone, a date, a time, or one of these
 * choices.
 */
export type SettingField = Declared &
  (
    | ({ readonly is?: undefined } & TextInput)
    | { readonly is: 'value'; readonly of: 'dataProviderVendorId' | 'shipToLocationCode' }
    | { readonly is: 'zone' | 'date' | 'utcTime' }
    | { readonly is: 'choice'; readonly choices: Choices }
  )

interface Props {
  /** Before each id, since two forms may be on the page. */
  readonly form: string
  /** `false` is skipped. */
  readonly fields: readonly (SettingField | false)[]
  /** By the names of the fields. Other properties are ignored. */
  readonly values: object
  readonly disabled?: boolean
  /** Called when a value was chosen from a list, which sends no input event. */
  readonly onPick?: () => void
}

export const SettingFields = ({ form, fields, values, ...more }: Props) => (
  <div class="form-fields">
    {fields.map(
      (field) =>
        field && (
          <OneField
            key={field.name}
            id={`${form}-${field.name}`}
            field={field}
            value={(values as Readonly<Record<string, unknown>>)[field.name]}
            {...more}
          />
        ),
    )}
  </div>
)

interface FieldProps extends Pick<Props, 'disabled' | 'onPick'> {
  readonly id: string
  readonly field: SettingField
  readonly value: unknown
}

function OneField({ id, field, value, disabled = field.disabled ?? false, onPick }: FieldProps) {
  const text = String(value ?? '')
  const shared = { id, disabled, defaultValue: text }
  if (field.is === undefined) return <TextField {...(field as TextFieldProps)} {...shared} />
  if (field.is === 'value') return <ValueField {...field} {...shared} {...(onPick && { onPick })} />
  if (field.is === 'zone') return <ZoneField {...field} {...shared} />
  const describedBy = field.hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
  return (
    <div class="form-field">
      <label for={id}>{field.label}</label>
      {'choices' in field ? (
        <Select name={field.name} choices={field.choices} value={text} {...{ id, disabled, ...describedBy }} />
      ) : (
        <DateInput name={field.name} isUtcTime={field.is === 'utcTime'} {...shared} {...describedBy} />
      )}
      {field.hint !== undefined && (
        <p id={`${id}-hint`} class="quiet small">
          {field.hint}
        </p>
      )}
    </div>
  )
}

type ZoneProps = Pick<Declared, 'name' | 'label' | 'hint' | 'required' | 'disabled'> & {
  readonly id: string
  readonly defaultValue: string
}

const zoneNames = Intl.supportedValuesOf('timeZone')

/** A time zone by its name: it offers those that the browser knows. */
const ZoneField = ({ id, ...field }: ZoneProps) => (
  <>
    <TextField id={id} list={`${id}-names`} placeholder="America/New_York" spellcheck={false} {...field} />
    <datalist id={`${id}-names`}>
      {zoneNames.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  </>
)
