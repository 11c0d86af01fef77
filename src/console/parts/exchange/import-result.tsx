// The result of an import: counts, remarks, stored records, and rejected rows.
import type { ComponentChildren } from 'preact'
import type { RecordKindName } from '../../../contract/record-kinds.ts'
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
import { recordSections } from '../../records/record-sections.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { nameFieldsOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { PlainTable } from '../tables/plain-table.tsx'

interface Props {
  readonly title: string
  readonly file: File
  readonly report: ImportReport
  /** The next steps. */
  readonly children: ComponentChildren
}

export function ImportResult({ title, file, report, children }: Props) {
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
          {screenText(note)}
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
        <Causes label="Rejected rows" causes={causes} elsewhere="The saved rows have the reason of each." />
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
}

/** Findings by cause, in the words of the screen. */
function Causes({ label, causes, elsewhere }: CausesProps) {
  return (
    <>
      {causes.length > shownMax && (
        <p class="quiet">
          The first {shownMax} of {causes.length} causes are shown. {elsewhere}
        </p>
      )}
      <PlainTable label={label} heads={['Rows', 'Column', 'What is wrong', 'What to do']} isCards>
        {causes.slice(0, shownMax).map((cause) => {
          const { sheet, column = '', letters, message, remedy = '', rows, firstRow, kind, heldBy } = cause
          nameFieldsOf(kind)
          return (
            <tr key={`${sheet} ${firstRow} ${column} ${message}`}>
              <td data-words="Rows">
                {sheet && `${sheet} `}
                {rows === 1 ? firstRow : `${pluralize(rows, 'row')}, first row ${firstRow}`}
              </td>
              <td data-words="Column" class="mono">
                {letters === undefined
                  ? columnLabel(column, kind === 'shippingEvent' ? kind : 'receivingEvent')
                  : column}
              </td>
              <td data-words="What is wrong" dir="auto">
                {screenText(message)}{' '}
                {heldBy !== undefined && (
                  <RecordLink
                    {...heldBy}
                    words={rows === 1 ? 'Open the stored record' : 'Open the first stored record'}
                  />
                )}
              </td>
              <td data-words="What to do" dir="auto">
                {screenText(remedy)}
              </td>
            </tr>
          )
        })}
      </PlainTable>
    </>
  )
}

const whatWords = {
  created: 'Created',
  replaced: 'Replaced',
  unchanged: 'Same content, stored before',
  toReplace: 'Will be replaced',
} as const

function StoredRecords({ stored }: { readonly stored: readonly StoredRecord[] }) {
  const shown = stored.slice(0, shownMax)
  return (
    <>
      <h3>Stored records</h3>
      {stored.length > shownMax && (
        <p class="quiet">
          The first {shownMax} of {stored.length >= storedKept ? 'many' : stored.length} are shown.
        </p>
      )}
      <PlainTable label="Stored records" heads={['Row', 'Record', 'State', 'Gaps']} isCards>
        {shown.flatMap(({ row, kind, ids, names, is, gaps }) =>
          ids.map((id, i) => (
            <tr key={`${row} ${id}`}>
              <td data-words="Row">{row}</td>
              <td data-words="Record" dir="auto">
                <RecordLink id={id} kind={kind} words={names[i] || recordKindWords(kind)} />
              </td>
              <td data-words="State">{whatWords[is]}</td>
              <td data-words="Gaps">{gaps}</td>
            </tr>
          )),
        )}
      </PlainTable>
    </>
  )
}

const recordKindWords = (kind: RecordKindName): string =>
  recordSections.find((section) => section.kind.name === kind)?.kind.noun ?? 'record'

function RecordLink({
  id,
  kind,
  words,
}: {
  readonly id: string
  readonly kind: RecordKindName
  readonly words: string
}) {
  const path = recordSections.find((section) => section.kind.name === kind)?.path ?? ''
  return <a href={hrefTo(`${path}/${id}`)}>{words}</a>
}
