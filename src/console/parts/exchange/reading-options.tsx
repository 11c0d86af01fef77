// How a file is read: its events, values it lacks, its dates, and its columns.

import type { EventKindName } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { withDefault } from '../../../intake/read-row.ts'
import { eventKindChoices } from '../../records/column-words.ts'
import type { ReadingChoices } from '../../state/exchange/reading-choices.ts'
import { type Choices, Select } from '../fields/select.tsx'
import { TimeZoneChoice } from '../fields/time-zone-choice.tsx'
import { Fault } from '../frame/fault.tsx'
import { RowValues } from './row-values.tsx'

interface Props {
  readonly choices: ReadingChoices
  readonly mappingFault: string
  readonly isHidden: boolean
  readonly onChoose: (choices: Partial<ReadingChoices>) => void
  /** A file of saved columns was chosen. */
  readonly onColumns: (file: File) => void
}

const kinds: Choices<EventKindName | ''> = [['', 'All events in the file'], ...eventKindChoices]

const dateOrders: Choices<ReadingChoices['dates']> = [
  ['mdy', '4 March (month first)'],
  ['dmy', '3 April (day first)'],
]

export function ReadingOptions({ choices, mappingFault, isHidden, onChoose, onColumns }: Props) {
  const { kind, dates, localTime, mapping, defaults } = choices
  return (
    <fieldset class="choices" hidden={isHidden}>
      <legend>Reading options</legend>
      <label>
        <span>Events to import</span>
        <Select choices={kinds} value={kind ?? ''} onChoose={(chosen) => onChoose({ kind: chosen || undefined })} />
      </label>
      <label>
        <span>Vendor, where the file has none</span>
        <input
          type="text"
          value={defaults.dataProviderVendorId ?? ''}
          autocomplete="off"
          onInput={({ currentTarget }) =>
            onChoose({ defaults: withDefault(defaults, 'dataProviderVendorId', currentTarget.value) })
          }
        />
      </label>
      <RowValues
        kind={kind ?? 'receivingEvent'}
        defaults={defaults}
        onDefaults={(values) => onChoose({ defaults: values })}
      />
      <label>
        <span>A date such as 03/04/2026 means</span>
        <Select choices={dateOrders} value={dates} onChoose={(chosen) => onChoose({ dates: chosen })} />
      </label>
      <label for="import-zone">
        <span>Time zone of times without an offset</span>
        <TimeZoneChoice
          id="import-zone"
          value={localTime}
          onValue={(zone) => onChoose({ localTime: zone })}
          none="– none: reject such rows"
        />
      </label>
      <Switch name="replace" choices={choices} onChoose={onChoose}>
        Replace stored records. Otherwise rows that differ from a stored record are rejected.
      </Switch>
      <Switch name="restoreZeros" choices={choices} onChoose={onChoose}>
        Restore zeros that a spreadsheet removed from the front of GTIN, GLN and SSCC
      </Switch>
      <Switch name="completes" choices={choices} onChoose={onChoose}>
        Complete the codes of a sheet from stored locations and products
      </Switch>
      <label>
        <span>Saved columns</span>
        <input
          type="file"
          accept=".json"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? []
            if (chosen !== undefined) onColumns(chosen)
            // The same file can be chosen again once it was changed.
            currentTarget.value = ''
          }}
        />
      </label>
      <Fault>{mappingFault}</Fault>
      {mapping?.name !== undefined && (
        <p role="status">
          {pluralize(Object.keys(mapping.columns).length, 'custom column mapping')} loaded.{' '}
          <button type="button" class="plain in-line" onClick={() => onChoose({ mapping: undefined })}>
            Clear
          </button>
        </p>
      )}
    </fieldset>
  )
}

interface SwitchProps extends Pick<Props, 'choices' | 'onChoose'> {
  readonly name: 'replace' | 'restoreZeros' | 'completes'
  readonly children: string
}

const Switch = ({ name, choices, onChoose, children }: SwitchProps) => (
  <label>
    <input
      type="checkbox"
      checked={choices[name]}
      onChange={({ currentTarget }) => onChoose({ [name]: currentTarget.checked })}
    />
    <span>{children}</span>
  </label>
)
