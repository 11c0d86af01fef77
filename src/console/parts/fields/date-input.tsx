// A field for a date or a time that also takes a pasted one, such as 7/4/2026 or March 4, 2026. It
// shows the result, and asks which of two dates is meant.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { WrittenDate } from '../../../intake/written-date.ts'
import {
  type DateOrder,
  dateWords,
  type PastedDate,
  readingIn,
  readPastedDate,
  utcFieldOf,
  utcWords,
} from '../../records/pasted-dates.ts'
import { dateOrder } from '../../state/frame/date-order.ts'

interface PasteOfDates {
  readonly onPaste: (event: ClipboardEvent) => void
  readonly read: (text: string) => void
  /** Forgets the pasted text when the user types. */
  readonly clear: () => void
  readonly notice: ComponentChildren
}

type DateWords = (read: WrittenDate) => string

const wordsOfDate: DateWords = ({ date }) => dateWords(date)

/** Reads pasted text in a field as a date for `take`; `words` describe the result. */
export function usePastedDate(take: (read: WrittenDate) => void, words = wordsOfDate): PasteOfDates {
  const [pasted, setPasted] = useState<PastedDate>()
  const [taken, setTaken] = useState<WrittenDate>()
  const use = (read: WrittenDate | undefined) => {
    setTaken(read)
    if (read !== undefined) take(read)
  }
  const read = (text: string) => {
    const date = readPastedDate(text)
    setPasted(date)
    use(readingIn(date, dateOrder.get()))
  }
  return {
    onPaste: (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (text.trim() === '') return
      event.preventDefault()
      read(text)
    },
    read,
    clear: () => setPasted(undefined),
    notice: pasted && (
      <DateReading
        pasted={pasted}
        taken={taken}
        words={words}
        onChoose={(order) => {
          dateOrder.set(order)
          use(readingIn(pasted, order))
        }}
      />
    ),
  }
}

const orders: readonly DateOrder[] = ['month first', 'day first']

interface ReadingProps {
  readonly pasted: PastedDate
  readonly taken: WrittenDate | undefined
  readonly words?: DateWords
  readonly onChoose: (order: DateOrder) => void
}

/** The result of a pasted text, or the question which date it is. */
export const DateReading = ({ pasted: { text, readings }, taken, words = wordsOfDate, onChoose }: ReadingProps) => (
  <span class="pasted-date small" role="status">
    <bdi>“{text.slice(0, 40)}”</bdi>{' '}
    {readings.length === 0
      ? 'is not a date. Enter it like 7/4/2026, July 4, 2026 or 2026-07-04.'
      : taken === undefined
        ? 'can be two dates. Which one is meant?'
        : `was read as ${words(taken)}.`}
    {readings.length > 1 &&
      readings.map(
        (read, i) =>
          read !== taken && (
            <button key={read.date} type="button" onClick={() => onChoose(orders[i] ?? 'month first')}>
              {taken !== undefined && 'Read as '}
              {words(read)}
            </button>
          ),
      )}
  </span>
)

interface Props {
  readonly id: string
  readonly name?: string
  readonly value?: string
  readonly defaultValue?: string
  readonly disabled?: boolean
  readonly title?: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
  readonly onInput?: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) => void
  /** Shows a text that is no date as it is, so that it can be corrected. */
  readonly isText?: boolean
  /** Takes a time in UTC too. */
  readonly isUtcTime?: boolean
}

export function DateInput({ isText = false, isUtcTime = false, onInput, ...attributes }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { onPaste, read, clear, notice } = usePastedDate(
    (taken) => {
      const field = input.current
      if (field === null) return
      field.value = isUtcTime ? utcFieldOf(taken) : taken.date
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
    },
    isUtcTime ? utcWords : wordsOfDate,
  )
  const kind = isUtcTime ? ({ type: 'datetime-local', step: 1 } as const) : ({ type: 'date' } as const)
  return (
    <>
      <input
        {...attributes}
        {...(isText ? { type: 'text', dir: 'auto' } : kind)}
        ref={input}
        onPaste={onPaste}
        onInput={(event) => {
          if (event.isTrusted) clear()
          onInput?.(event)
        }}
        onChange={({ isTrusted, currentTarget: { value } }) => {
          if (isTrusted && isText && value.trim() !== '') read(value)
        }}
      />
      {notice}
    </>
  )
}
