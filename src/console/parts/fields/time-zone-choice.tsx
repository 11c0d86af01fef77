// A choice among time zones: those of the United States first, offsets that are the same all year
// last.
import { localTimeGroups } from '../../words/local-times.ts'

interface Props {
  readonly id: string
  readonly value: string
  readonly onValue: (value: string) => void
  /** Words for no time zone, where there may be none. */
  readonly none?: string
}

export const TimeZoneChoice = ({ id, value, onValue, none }: Props) => (
  <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
    {none !== undefined && <option value="">{none}</option>}
    {localTimeGroups().map(({ label, choices }) => (
      <optgroup key={label} label={label}>
        {choices.map(([zone, words]) => (
          <option key={zone} value={zone}>
            {words}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
)
