// A choice among time zones: those of the United States first, offsets that are the same all year
// last.
import { localTimeGroups } from '../../words/local-times.ts'
import { Select } from './select.tsx'

interface Props {
  readonly id: string
  readonly value: string
  readonly onValue: (value: string) => void
  /** Words for no time zone, where there may be none. */
  readonly none?: string
}

export const TimeZoneChoice = ({ id, value, onValue, none }: Props) => (
  <Select
    id={id}
    choices={none === undefined ? [] : [['', none]]}
    groups={localTimeGroups()}
    value={value}
    onChoose={onValue}
  />
)
