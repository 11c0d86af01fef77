// Voids the chosen events of a list: one reason for all, and a result for each. An event that was
// changed since the list was loaded is named and stays as it is.
import { useRef, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import type { EventKindName } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Column } from '../../records/drawn-column.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { type Fields, fieldsOf, recordName, textOf } from '../../records/record-summary.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { differs, isStale } from '../../state/frame/guarded-save.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import type { Chosen } from '../../state/records/chosen-records.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { Modal } from '../frame/modal.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { ReasonQuestion } from './reason-question.tsx'

interface Props {
  readonly kind: EventKindName
  /** As the list shows them. */
  readonly records: readonly AnyRecord[]
  /** With the events that were not voided, where any was tried. */
  readonly onClose: (left: Chosen | undefined) => void
}

interface Result {
  readonly record: AnyRecord
  /** Why it was not voided. */
  readonly fault?: string
}

/** Named in the question. */
const namedMax = 8

const changedMeanwhile = 'Somebody changed it since the list was loaded. It was not voided.'

export function VoidMany({ kind, records, onClose }: Props) {
  const { api } = useOpenSession()
  const { noun, nouns } = sectionOf({ name: kind }).kind
  const [results, setResults] = useState<readonly Result[]>([])
  const [isDone, setDone] = useState(false)
  const isClosed = useRef(false)
  const nameOf = (record: AnyRecord) =>
    `${dateTimeWords(textOf(fieldsOf((record as Fields).eventList).eventDateTime))} ${recordName(kind, record)}`
  const faultOf = async (record: AnyRecord, reason: string): Promise<string | undefined> => {
    const { id } = record
    try {
      const { body, version = 1 } = await api.of(kind).read({ id })
      if (differs(record, body)) return changedMeanwhile
      await api[`void${capitalize(kind)}`]({ id, body: { reason }, ifMatch: version })
      return undefined
    } catch (error) {
      return isStale(error) ? changedMeanwhile : failureSentence(error)
    }
  }
  const voidAll = async (reason: string) => {
    const ended: Result[] = []
    for (const record of records) {
      if (isClosed.current) break
      const fault = await faultOf(record, reason)
      ended.push({ record, ...(fault !== undefined && { fault }) })
      setResults([...ended])
    }
    setDone(true)
  }
  const left = results.filter(({ fault }) => fault !== undefined)
  const close = () => {
    isClosed.current = true
    const voided = new Set(results.filter(({ fault }) => fault === undefined).map(({ record }) => record.id))
    onClose(results.length === 0 ? undefined : new Set(records.map(({ id }) => id).filter((id) => !voided.has(id))))
  }
  if (isDone)
    return (
      <Modal labelledBy="voided-title" onClose={close}>
        <h2 id="voided-title">
          {(results.length - left.length).toLocaleString('en')} of {pluralize(records.length, noun, nouns)} voided
        </h2>
        <p role="status">
          {left.length === 0
            ? 'Each stays stored with its history, and can be restored.'
            : `${pluralize(left.length, 'event')} stayed as ${left.length === 1 ? 'it is' : 'they are'}, and ${left.length === 1 ? 'stays' : 'stay'} chosen.`}
        </p>
        <DataTable
          label="Result of each event"
          columns={resultColumns(kind, nameOf)}
          rows={[...left, ...results.filter(({ fault }) => fault === undefined)]}
          keyOf={({ record }) => record.id}
        />
        <form method="dialog">
          <button type="submit" class="main">
            Close
          </button>
        </form>
      </Modal>
    )
  return (
    <ReasonQuestion
      title={`Void ${records.length === 1 ? `this ${noun}` : `these ${pluralize(records.length, noun, nouns)}`}?`}
      words={`Void ${pluralize(records.length, 'event')}`}
      busyWords={`Voiding ${(results.length + 1).toLocaleString('en')} of ${records.length.toLocaleString('en')}…`}
      hint="For whoever reads the history, e.g. Entered twice."
      blank="Say why the events were entered by mistake."
      send={voidAll}
      onClose={close}
    >
      <ul class="plain-list">
        {records.slice(0, namedMax).map((record) => (
          <li key={record.id}>
            <bdi>{nameOf(record)}</bdi>
          </li>
        ))}
        {records.length > namedMax && <li class="quiet">and {pluralize(records.length - namedMax, 'more event')}</li>}
      </ul>
      <p>
        They are left out of lists, traces, completeness and exports. They stay stored with their history, and can be
        restored. An event that somebody changed since the list was loaded stays as it is, and you are told.
      </p>
    </ReasonQuestion>
  )
}

const resultColumns = (kind: EventKindName, nameOf: (record: AnyRecord) => string): readonly Column<Result>[] => [
  {
    heading: 'Event',
    cell: ({ record }) => (
      <a href={hrefTo(`${sectionOf({ name: kind }).path}/${record.id}/versions`)} dir="auto">
        {nameOf(record)}
      </a>
    ),
  },
  {
    heading: 'Result',
    cell: ({ fault }) => (fault === undefined ? 'Voided' : <span class="fault">{fault}</span>),
  },
]
