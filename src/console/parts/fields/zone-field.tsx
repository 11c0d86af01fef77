// A field for a time zone by its name, which offers those that the browser knows.
import { TextField } from './text-field.tsx'

const zoneNames = Intl.supportedValuesOf('timeZone')

interface Props {
  readonly id: string
  readonly label: string
  readonly name: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly defaultValue?: string
  readonly hint?: string | undefined
}

export const ZoneField = ({ id, ...field }: Props) => (
  <>
    <TextField id={id} list={`${id}-names`} placeholder="America/New_York" spellcheck={false} {...field} />
    <datalist id={`${id}-names`}>
      {zoneNames.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  </>
)
