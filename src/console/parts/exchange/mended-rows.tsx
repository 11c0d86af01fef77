// Rows of a file with a field for each cell that can be corrected, and its reasons below it.
import { leftOut, type Mend, type Mends, mendKey, takenBack } from '../../../intake/mending/mends.ts'
import { type CellFinding, isLeftOut, type RejectedCells, textIn } from '../../../intake/mending/rejected-cells.ts'
import { columnLabel } from '../../records/column-words.ts'
import type { Column } from '../../records/drawn-column.ts'
import { nameFieldsOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { DataTable } from '../tables/data-table.tsx'

interface Props {
  readonly rows: readonly RejectedCells[]
  readonly mends: Mends
  /** Those with which the rows were read last. */
  readonly checked: Mends
  /** The cause whose cells are shown; empty for all causes. */
  readonly cause: string
  /** Whether cells without a reason are shown too. */
  readonly isWhole: boolean
  readonly onMend: (mends: readonly Mend[]) => void
}

export function MendedRows(props: Props) {
  const sheets = [...new Set(props.rows.map(({ sheet }) => sheet))]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter and arrows move between the fields within
    <div onKeyDown={moveInColumn}>
      {sheets.map((sheet) => {
        const rows = props.rows.filter((row) => row.sheet === sheet)
        const label = sheet === '' ? 'Rejected rows to correct' : `Rejected rows to correct of sheet ${sheet}`
        return (
          <section key={sheet}>
            {sheets.length > 1 && <h3 dir="auto">{sheet}</h3>}
            <DataTable
              {...{ label, rows }}
              isWide
              columns={columnsFor({ ...props, rows })}
              keyOf={({ number }) => number}
            />
          </section>
        )
      })}
    </div>
  )
}

function columnsFor({ rows, isWhole, ...context }: Props): readonly Column<RejectedCells>[] {
  const { kind, headings = [] } = rows[0] ?? {}
  nameFieldsOf(kind)
  const { cause } = context
  const shown = rows.flatMap(({ findings }) => findings.filter((one) => isWhole || cause === '' || one.cause === cause))
  const named = new Set(shown.flatMap(({ column }) => column || []))
  const own = headings.filter((heading) => heading !== '' && (isWhole || named.size === 0 || named.has(heading)))
  const written = Object.values(context.mends).filter(({ sheet }) => sheet === rows[0]?.sheet)
  const lacking = [...new Set([...named, ...written.flatMap(({ column }) => column ?? [])])].filter(
    (name) => !headings.includes(name),
  )
  return [
    { heading: 'Row', cell: (row) => <RowHead {...{ row, shown: own, ...context }} /> },
    ...[...own, ...lacking].map((column): Column<RejectedCells> => {
      const heading = headings.includes(column) ? column : columnLabel(column, kind)
      return {
        heading,
        cell: (row) => <MendField {...{ row, column, ...context }} label={`${heading}, row ${row.number}`} />,
      }
    }),
  ]
}

interface RowProps extends Pick<Props, 'cause' | 'mends' | 'checked' | 'onMend'> {
  readonly row: RejectedCells
}

/** Most other cells that tell a row from others. */
const tellingMax = 3

/** Number of the row, what it is about, reasons of no single cell, and a way to leave it out. */
function RowHead({ row, shown, cause, mends, checked, onMend }: RowProps & { readonly shown: readonly string[] }) {
  const { sheet, number, cells, findings, headings } = row
  const whole = leftOut(sheet, number)
  const key = mendKey(whole)
  const isOut = isLeftOut(row, mends)
  const reasons = findings.filter((one) => !one.column && (cause === '' || one.cause === cause))
  const telling = headings.flatMap((heading) => (shown.includes(heading) ? [] : cells.get(heading)?.trim() || []))
  return (
    <>
      {number} {isOut && <strong>left out</strong>}{' '}
      <bdi class="quiet small">{telling.slice(0, tellingMax).join(' · ')}</bdi>{' '}
      <button type="button" class="plain in-line" onClick={() => onMend([isOut ? takenBack(whole) : whole])}>
        {isOut ? 'Take back' : 'Leave out'}
        <span class="hidden"> row {number}</span>
      </button>
      <Reasons findings={reasons} isFresh={mends[key] !== checked[key]} />
    </>
  )
}

interface FieldProps extends RowProps {
  readonly column: string
  readonly label: string
}

function MendField({ row, column, label, mends, checked, onMend }: FieldProps) {
  const { sheet, number, cells, findings } = row
  const key = mendKey({ sheet, row: number, column })
  const own = findings.filter((finding) => finding.column === column)
  const isFresh = mends[key] !== checked[key]
  const reasons = `reasons ${key}`.replaceAll(/\s/g, '-')
  const was = cells.get(column) ?? ''
  return (
    <>
      <input
        type="text"
        dir="auto"
        autocomplete="off"
        aria-label={label}
        aria-invalid={own.length > 0 && !isFresh}
        aria-describedby={own.length > 0 || isFresh ? reasons : undefined}
        value={textIn(row, column, mends)}
        onInput={({ currentTarget }) => onMend([{ sheet, row: number, column, was, to: currentTarget.value }])}
      />
      {(own.length > 0 || isFresh) && (
        <Reasons id={reasons} findings={own} {...{ isFresh }} was={mends[key] === undefined ? undefined : was} />
      )}
    </>
  )
}

interface ReasonsProps {
  readonly id?: string
  readonly findings: readonly CellFinding[]
  /** True after a change: the reasons are those of the text before. */
  readonly isFresh: boolean
  /** The text of the file, where it was corrected. */
  readonly was?: string | undefined
}

function Reasons({ id, findings, isFresh, was }: ReasonsProps) {
  return (
    <div id={id} class={isFresh ? 'mend-reasons quiet small' : 'mend-reasons small'}>
      {was !== undefined && (
        <p>
          In the file: {was === '' ? 'blank' : <bdi>“{was}”</bdi>}
          {isFresh && ', not checked yet'}
        </p>
      )}
      {!isFresh &&
        findings.map(({ message }) => (
          <p key={message} class="fault" dir="auto">
            {screenText(message)}
          </p>
        ))}
    </div>
  )
}

/** Enter and the arrows lead to the field above or below, as in a spreadsheet. */
function moveInColumn(event: KeyboardEvent): void {
  const { target, key, isComposing } = event
  const by = key === 'ArrowUp' ? 'previousElementSibling' : 'nextElementSibling'
  if (!(target instanceof HTMLInputElement) || isComposing || !['Enter', 'ArrowDown', 'ArrowUp'].includes(key)) return
  const at = target.closest('td')?.cellIndex ?? -1
  const row = target.closest('tr')?.[by]
  event.preventDefault()
  if (row instanceof HTMLTableRowElement) row.cells[at]?.querySelector('input')?.focus()
}
