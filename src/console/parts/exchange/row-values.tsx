// Values that hold for all rows of a file: any field that it lacks or leaves blank.
import { useState } from 'preact/hooks'
import type { EventKindName } from '../../../contract/record-kinds.ts'
import { type Defaults, withDefault } from '../../../intake/read-row.ts'
import { columnLabel, eventGroups, fieldLabel } from '../../records/column-words.ts'
import { Select } from '../fields/select.tsx'

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
        <Select
          choices={[['', 'Choose a field']]}
          groups={eventGroups(kind).map(({ words, columns }) => ({
            words,
            choices: columns
              .filter(({ name }) => name !== 'dataProviderVendorId' && !added.includes(name))
              .map((field) => [field.name, fieldLabel(field)]),
          }))}
          value=""
          onChoose={(name) => name !== '' && setAdded([...added, name])}
        />
      </label>
    </>
  )
}
