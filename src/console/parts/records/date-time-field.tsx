// When goods were received or shipped: a date, a time and a time zone, which become one text of the
// contract.
import { useEffect, useState } from 'preact/hooks'
import { clockWords, dateReceived, dateTimeOf, ownZone, partsOf, type TimeParts } from '../../records/received-time.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { usePastedDate } from '../fields/date-input.tsx'
import { TimeZoneChoice } from '../fields/time-zone-choice.tsx'

interface Props {
  readonly id: string
  readonly label: string
  readonly required: boolean
  readonly value: string
  readonly describedBy: string
  readonly invalid: boolean
  /** Time zone that is set for the place. */
  readonly placeZone?: string | undefined
  /** The name of its date at the place, where that date counts. */
  readonly dateLabel: string | undefined
  readonly onValue: (value: string | undefined) => void
}

export function DateTimeField({
  id,
  label,
  required,
  value,
  describedBy,
  invalid,
  placeZone,
  dateLabel,
  ...on
}: Props) {
  const { parts, write, chooseZone, paste } = useTimeParts(value, placeZone, on.onValue)
  return (
    <>
      <fieldset class="date-time">
        <legend>
          {label} {required && <span class="quiet small">required</span>}
        </legend>
        <label>
          <span class="hidden">{label}: </span>
          <span class="quiet small">Date</span>
          <input
            id={id}
            type="date"
            value={parts.date}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onPaste={paste.onPaste}
            onInput={({ currentTarget }) => write({ ...parts, date: currentTarget.value })}
          />
        </label>
        <label>
          <span class="hidden">{label}: </span>
          <span class="quiet small">Time</span>
          <input
            type="time"
            step="1"
            value={parts.time}
            aria-invalid={invalid}
            onInput={({ currentTarget }) => write({ ...parts, time: currentTarget.value })}
          />
        </label>
        <label for={`${id}:zone`}>
          <span class="hidden">{label}: </span>
          <span class="quiet small">Time zone</span>
          <TimeZoneChoice id={`${id}:zone`} value={parts.zone} onValue={chooseZone} />
        </label>
      </fieldset>
      {paste.notice}
      <p class="small" aria-live="polite">
        <TimeWords {...{ value, parts, placeZone, dateLabel }} />
      </p>
    </>
  )
}

/** The parts of a time as they are entered, in step with its text. */
function useTimeParts(value: string, placeZone: string | undefined, onValue: Props['onValue']) {
  const [parts, setParts] = useState<TimeParts>(() => ({ date: '', time: '', zone: placeZone ?? ownZone() }))
  const [isZoneChosen, setZoneChosen] = useState(false)
  const written = dateTimeOf(parts) ?? ''

  // Another value from elsewhere: the JSON, an example, a draft.
  useEffect(() => {
    if (value === written) return
    const read = partsOf(value, parts.zone)
    if (read !== undefined) setParts(read)
    else if (value === '' && written !== '') setParts({ ...parts, date: '', time: '' })
  }, [value])
  // The clock of the place goes before the clock of the reader.
  useEffect(() => {
    if (placeZone !== undefined && !isZoneChosen && value === '') setParts((before) => ({ ...before, zone: placeZone }))
  }, [placeZone])

  const change = (next: TimeParts) => {
    setParts(next)
    onValue(dateTimeOf(next))
  }
  const paste = usePastedDate(({ date, time = parts.time, offset }) =>
    change({ date, time: time.replace(/^(\d\d:\d\d):00$/, '$1'), zone: offset ?? parts.zone }),
  )
  const write = (next: TimeParts) => {
    paste.clear()
    change(next)
  }
  const chooseZone = (zone: string) => {
    setZoneChosen(true)
    change({ ...parts, zone })
  }
  return { parts, write, chooseZone, paste }
}

interface WordsProps extends Pick<Props, 'value' | 'placeZone' | 'dateLabel'> {
  readonly parts: TimeParts
}

/** How the time is read, or what is missing. */
function TimeWords({ value, parts, placeZone, dateLabel }: WordsProps) {
  if (value === '')
    return parts.date !== '' && parts.time === '' ? <span class="quiet">Enter the time of day too.</span> : null
  if (partsOf(value, parts.zone) === undefined)
    return (
      <>
        <bdi class="mono">{value}</bdi> is no date and time. Enter both here.
      </>
    )
  const localDate = dateLabel === undefined ? undefined : dateReceived(value, placeZone)
  return (
    <>
      {localDate !== undefined && (
        <>
          {dateLabel}: <strong>{localDate}</strong>
          {placeZone !== undefined && ` (${placeZone.replaceAll('_', ' ')})`} ·{' '}
        </>
      )}
      <span class="quiet" title={value}>
        {dateTimeWords(value)}
      </span>{' '}
      {clockWords(parts)}
    </>
  )
}
