// The result of an import: counts, remarks, stored records, and rejected rows.

import type { ComponentChildren } from 'preact'
import type { RecordKindName } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { findingsInWords, readInWords } from '../../../intake/count-words.ts'
import type { FindingCause } from '../../../intake/finding-causes.ts'
import {
  type ImportReport,
  rejectedBlob,
  rejectionsKept,
  type StoredRecord,
  storedKept,
} from '../../files/file-import.ts'
import { handOver } from '../../files/saving.ts'
import { columnLabel } from '../../records/column-words.ts'
import type { Column } from '../../records/drawn-column.ts'
import { recordSections } from '../../records/record-sections.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { nameFieldsOf } from '../../words/labels.ts'
import { remedyWords, screenText } from '../../words/screen-words.ts'
import { DataTable } from '../tables/data-table.tsx'

interface Props {
  readonly title: string
  readonly file: File
  readonly report: ImportReport
  /** Leads to the rows of a cause. */
  readonly onCause: (cause: string) => void
  /** The next steps. */
  readonly children: ComponentChildren
}

export function ImportResult({ title, file, report, onCause, children }: Props) {
  const { counts, notes, causes, warnings, rejections, stored, rows, of } = report
  const { rejected } = counts
  const keptAll = rejections.length < rejectionsKept || rejected <= rejectionsKept
  const left = (of ?? 0) - rows
  return (
    <section>
      <div class="section-head">
        <h2 dir="auto">{title}</h2>
      </div>
      <p role="status">
        {resultWords(report)}
        {report.is !== 'done' && left > 0 && ` ${pluralize(left, 'row')} of ${of?.toLocaleString('en')} not sent.`}
      </p>
      {notes.map((note) => (
        <p key={note} class="quiet" dir="auto">
          {capitalize(screenText(note))}
        </p>
      ))}
      <p class="actions">
        {children}
        {rejections.length > 0 && (
          <button
            type="button"
            onClick={async () => {
              const saved = await rejectedBlob(file.name, rejections)
              if (saved !== undefined) handOver(saved.blob, saved.name)
            }}
          >
            {keptAll ? 'Save the rejected rows' : `Save the first ${rejectionsKept.toLocaleString('en')} rejected rows`}
          </button>
        )}
      </p>
      {!keptAll && (
        <p class="callout">
          This page keeps the first {rejectionsKept.toLocaleString('en')} of {rejected.toLocaleString('en')} rejections.
          Correct in your file what they have in common and import it again. Stored records are not stored twice.{' '}
          <code>lotkeeper import</code> on the command line saves all rejected rows.
        </p>
      )}
      {causes.length > 0 && (
        <Causes
          label="Rejected rows"
          causes={causes}
          elsewhere="The saved rows have the reason of each."
          {...{ onCause }}
        />
      )}
      {warnings.length > 0 && <Causes label="Warnings" causes={warnings} elsewhere="" />}
      {stored.length > 0 && <StoredRecords stored={stored} />}
    </section>
  )
}

/** How many records were stored or can be, and how many were not taken. */
function resultWords({ counts, before, isSent }: ImportReport): string {
  const { created, replaced, unchanged, judged, toReplace, rejected } = counts
  const all = created + replaced + unchanged
  const details = isSent
    ? ([
        [created, 'created'],
        [replaced, 'replaced'],
        [unchanged, 'stored before'],
      ] as const)
    : ([
        [judged - toReplace, 'new'],
        [toReplace, 'replacing a stored version'],
        [unchanged, 'stored already with the same content'],
      ] as const)
  const which = details.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en')} ${what}`)
  const ending = isSent ? `${pluralize(all, 'record')} stored` : `${pluralize(judged, 'record')} can be sent`
  const found = findingsInWords(counts)
  const read = readInWords(counts)
  return [
    `${read === '' ? 'No record was read' : read}: ${ending}, ${rejected.toLocaleString('en')} rejected.`,
    which.length > 0 && `${which.join(', ')}.`,
    found !== '' && `${found}.`,
    !isSent &&
      before > 0 &&
      `${pluralize(before, 'record')} of this file were stored before. Sending continues after them.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const shownMax = 100

interface CausesProps {
  readonly label: string
  readonly causes: readonly FindingCause[]
  /** Where the causes are that are not shown. */
  readonly elsewhere: string
  readonly onCause?: Props['onCause']
}

const causeColumns: readonly Column<FindingCause>[] = [
  {
    heading: 'Rows',
    cell: ({ sheet, rows, firstRow }) => (
      <>
        {sheet && `${sheet} `}
        {rows === 1 ? firstRow : `${pluralize(rows, 'row')}, first row ${firstRow}`}
      </>
    ),
  },
  {
    heading: 'Column',
    class: 'mono',
    cell: ({ kind, column = '', letters }) => {
      nameFieldsOf(kind)
      return letters === undefined ? columnLabel(column, kind) : column
    },
  },
  {
    heading: 'What is wrong',
    cell: ({ message, heldBy, rows }) => (
      <>
        <bdi>{screenText(message)}</bdi>{' '}
        {heldBy !== undefined && (
          <RecordLink {...heldBy} words={rows === 1 ? 'Open the stored record' : 'Open the first stored record'} />
        )}
      </>
    ),
  },
  { heading: 'What to do', cell: (cause) => remedyWords(cause) && <bdi>{remedyWords(cause)}</bdi> },
]

/** Findings by cause, in the words of the screen. */
function Causes({ label, causes, elsewhere, onCause }: CausesProps) {
  return (
    <>
      {causes.length > shownMax && (
        <p class="quiet">
          The first {shownMax} of {causes.length} causes are shown. {elsewhere}
        </p>
      )}
      <DataTable
        isWide
        label={label}
        columns={[...causeColumns, onCause && correctColumn(onCause)]}
        rows={causes.slice(0, shownMax)}
        keyOf={({ key }) => key}
      />
    </>
  )
}

const correctColumn = (onCause: Props['onCause']): Column<FindingCause> => ({
  heading: 'Correct',
  isAction: true,
  cell: ({ key, rows, firstRow, isRow }) =>
    isRow && (
      <button type="button" onClick={() => onCause(key)}>
        Correct <span class="hidden">{rows === 1 ? `row ${firstRow}` : pluralize(rows, 'row')}</span>
      </button>
    ),
})

const whatWords = {
  created: 'Created',
  replaced: 'Replaced',
  unchanged: 'Same content, stored before',
  toReplace: 'Will be replaced',
} as const

type StoredRow = Pick<StoredRecord, 'row' | 'kind' | 'is' | 'gaps'> & { readonly id: string; readonly name: string }

const storedColumns: readonly Column<StoredRow>[] = [
  { heading: 'Row', cell: ({ row }) => row },
  {
    heading: 'Record',
    cell: ({ id, kind, name }) => <RecordLink id={id} kind={kind} words={name || recordKindWords(kind)} />,
  },
  { heading: 'State', cell: ({ is }) => whatWords[is] },
  { heading: 'Gaps', cell: ({ gaps }) => gaps },
]

function StoredRecords({ stored }: { readonly stored: readonly StoredRecord[] }) {
  const rows = stored
    .slice(0, shownMax)
    .flatMap(({ ids, names, ...record }) => ids.map((id, i) => ({ ...record, id, name: names[i] ?? '' })))
  return (
    <>
      <h3>Stored records</h3>
      {stored.length > shownMax && (
        <p class="quiet">
          The first {shownMax} of {stored.length >= storedKept ? 'many' : stored.length} are shown.
        </p>
      )}
      <DataTable
        isWide
        label="Stored records"
        columns={storedColumns}
        rows={rows}
        keyOf={({ row, id }) => `${row} ${id}`}
      />
    </>
  )
}

const recordKindWords = (kind: RecordKindName): string =>
  recordSections.find((section) => section.kind.name === kind)?.kind.noun ?? 'record'

interface LinkProps {
  readonly id: string
  readonly kind: RecordKindName
  readonly words: string
}

function RecordLink({ id, kind, words }: LinkProps) {
  const path = recordSections.find((section) => section.kind.name === kind)?.path ?? ''
  return (
    <a href={hrefTo(`${path}/${id}`)}>
      <bdi>{words}</bdi>
    </a>
  )
}
