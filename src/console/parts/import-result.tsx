// What became of a file: how many records, what was told of it, and the rows that were not taken.
import type { ComponentChildren } from 'preact'
import { type ImportPass, type Rejection, rejectedFile, rejectionsKept } from '../file-import.ts'
import { counted } from '../labels.ts'
import { handOver } from '../saving.ts'
import { PlainTable } from './plain-table.tsx'

interface Props {
  readonly title: string
  readonly file: File
  readonly result: ImportPass
  /** What was done with what could be taken. */
  readonly taken: string
  /** What to do next. */
  readonly children: ComponentChildren
}

export function ImportResult({ title, file, result, taken, children }: Props) {
  const { accepted, rejected, lines, notes, rejections } = result
  const keptAll = rejected <= rejectionsKept
  return (
    <section>
      <div class="section-head">
        <h2 dir="auto">{title}</h2>
      </div>
      <p role="status">
        {counted(lines, 'line')}: {counted(accepted, 'record')} {taken}, {rejected.toLocaleString('en')} rejected.
      </p>
      {notes.map((note) => (
        <p key={note} class="quiet" dir="auto">
          {note}
        </p>
      ))}
      <p class="actions">
        {children}
        {rejections.length > 0 && (
          <button
            type="button"
            onClick={async () => {
              const { blob, name } = await rejectedFile(file.name, rejections)
              handOver(blob, name)
            }}
          >
            {keptAll ? 'Save the rejected rows' : `Save the first ${rejectionsKept.toLocaleString('en')} rejected rows`}
          </button>
        )}
      </p>
      {!keptAll && (
        <p class="callout">
          The page keeps the first {rejectionsKept.toLocaleString('en')} rejections; {rejected.toLocaleString('en')}{' '}
          were rejected. Correct in your file what they have in common and bring it in again: what is stored is not
          stored twice. <code>lotkeeper import</code> on the command line writes all of them.
        </p>
      )}
      {rejections.length > 0 && <Rejections rejections={rejections} rejected={rejected} />}
    </section>
  )
}

const shownMax = 100

function Rejections({
  rejections,
  rejected,
}: {
  readonly rejections: readonly Rejection[]
  readonly rejected: number
}) {
  const rows = rejections
    .slice(0, shownMax)
    .flatMap(({ from, findings }) =>
      findings.map((finding) => ({ ...finding, sheet: from !== undefined && 'rows' in from ? from.sheet : '' })),
    )
  return (
    <>
      {rejected > shownMax && <p class="quiet">The first {shownMax} are shown.</p>}
      <PlainTable label="Rejected rows" heads={['Row', 'Column', 'What is wrong', 'What to do']}>
        {rows.map(({ sheet, row, column, message, remedy }) => (
          <tr key={`${sheet} ${row} ${column} ${message}`}>
            <td>
              {sheet && `${sheet} `}
              {row}
            </td>
            <td class="mono">{column}</td>
            <td dir="auto">{message}</td>
            <td dir="auto">{remedy}</td>
          </tr>
        ))}
      </PlainTable>
    </>
  )
}
