// Values that hold for all rows of a file: any field that it lacks or leaves blank.
import { useState } from 'preact/hooks'
import type { EventKindName } from '../../../contract/record-kinds.ts'
import { type Defaults, withDefault } from '../../../intake/read-row.ts'
import { columnLabel, eventGroups, fieldLabel } from '../../records/column-words.ts'

interface Props {
  readonly kind: EventKindName
  readonly defaults: Defaults
  readonly onDefaults: (defaults: Defaults) => void
}

export function RowValues({ kind, defaults, onDefaults }: Props) {
  const [added, setAdded] = useState<readonly string[]>([])
  return (
    <>
      {added.map((name) => (
        <label key={name}>
          <span>{columnLabel(name, kind)}, where the file has none</span>
          <input
            type="text"
            value={defaults[name] ?? ''}
            autocomplete="off"
            onInput={({ currentTarget }) => onDefaults(withDefault(defaults, name, currentTarget.value))}
          />
          <button
            type="button"
            onClick={() => {
              setAdded(added.filter((one) => one !== name))
              onDefaults(withDefault(defaults, name, ''))
            }}
          >
            Remove
          </button>
        </label>
      ))}
      <label>
        <span>Add a value for all rows</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') setAdded([...added, currentTarget.value])
            currentTarget.value = ''
          }}
        >
          <option value="">Choose a field</option>
          {eventGroups(kind).map(({ words, columns }) => (
            <optgroup key={words} label={words}>
              {columns
                .filter(({ name }) => name !== 'dataProviderVendorId' && !added.includes(name))
                .map((field) => (
                  <option key={field.name} value={field.name}>
                    {fieldLabel(field)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
    </>
  )
}
