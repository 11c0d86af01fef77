// The rejected rows as a table: each reason stands at its cell, cells are corrected in place, and
// the rows are taken again. The file itself stays as it is.
import { useMemo, useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { FindingCause } from '../../../intake/finding-causes.ts'
import type { Mend, Mends } from '../../../intake/mending/mends.ts'
import { isLeftOut, rejectedCells } from '../../../intake/mending/rejected-cells.ts'
import type { ImportReport } from '../../files/file-import.ts'
import { columnLabel } from '../../records/column-words.ts'
import { nameFieldsOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { Select } from '../fields/select.tsx'
import { AllAtOnce } from './all-at-once.tsx'
import { MendedRows } from './mended-rows.tsx'

interface Props {
  readonly report: ImportReport
  readonly mends: Mends
  /** Those that were sent. */
  readonly sent: Mends
  /** Those that the report was made with. */
  readonly checked: Mends
  /** The cause whose rows are shown; empty for all. */
  readonly cause: string
  readonly onCause: (cause: string) => void
  readonly onMend: (mends: readonly Mend[]) => void
  /** Undefined when there is nothing to undo. */
  readonly onUndo: (() => void) | undefined
  readonly onDiscard: () => void
  /** Takes the rejected rows again. */
  readonly onAgain: () => void
}

/** Rows that are shown at once: each is drawn with its fields. */
const shownMax = 25

export function Mending(props: Props) {
  const { report, mends, sent, checked, cause, onCause, onMend, onUndo, onDiscard, onAgain } = props
  const all = useMemo(() => rejectedCells(report.rejections, checked), [report])
  const causes = useMemo(() => {
    const own = new Set(all.flatMap(({ findings }) => findings.map(({ cause: one }) => one)))
    return report.causes.filter(({ key }) => own.has(key))
  }, [all])
  const [page, setPage] = useState({ cause, first: 0 })
  const [isWhole, setWhole] = useState(false)
  const count = Object.keys(mends).length
  const fresh = Object.keys({ ...mends, ...checked }).filter((key) => mends[key] !== checked[key]).length
  const isUnsent = Object.keys(mends).some((key) => mends[key] !== sent[key])
  if (all.length === 0 && !isUnsent) return null
  const chosen = causes.find(({ key }) => key === cause)
  const rows = chosen === undefined ? all : all.filter(({ findings }) => findings.some((one) => one.cause === cause))
  const first = page.cause === cause && page.first < rows.length ? page.first : 0
  const shown = rows.slice(first, first + shownMax)
  const turn = (by: number) => setPage({ cause, first: first + by })
  return (
    <section aria-labelledby="mending-title" class="mending">
      <div class="section-head">
        <h2 id="mending-title" tabIndex={-1}>
          Correct rejected rows
        </h2>
      </div>
      <p class="quiet">
        The file itself stays as it is. Your corrections are kept on this device until all records are stored, and are
        listed in the record of the import.
      </p>
      {all.length > 0 && (
        <div class="mending-view">
          <label>
            <span>Rows to show</span>
            <Select
              choices={[
                ['', `All ${pluralize(all.length, 'row')}`],
                ...causes.map((one) => [one.key, causeWords(one)] as const),
              ]}
              value={chosen === undefined ? '' : cause}
              onChoose={onCause}
            />
          </label>
          <label>
            <input
              type="checkbox"
              checked={isWhole}
              onChange={({ currentTarget }) => setWhole(currentTarget.checked)}
            />
            <span>Show all columns</span>
          </label>
        </div>
      )}
      {chosen !== undefined && rows.some((row) => !isLeftOut(row, mends)) && (
        <AllAtOnce
          key={cause}
          cause={chosen}
          rows={rows.filter((row) => !isLeftOut(row, mends))}
          {...{ mends, onMend }}
        />
      )}
      <MendedRows rows={shown} cause={chosen?.key ?? ''} {...{ mends, checked, isWhole, onMend }} />
      {rows.length > shownMax && (
        <p class="actions">
          <button type="button" disabled={first === 0} onClick={() => turn(-shownMax)}>
            Previous rows
          </button>
          <button type="button" disabled={first + shownMax >= rows.length} onClick={() => turn(shownMax)}>
            Next rows
          </button>
          <span role="status">
            {first + 1} to {first + shown.length} of {pluralize(rows.length, 'row')}
          </span>
        </p>
      )}
      <p class="actions">
        <button type="button" class="main" disabled={fresh === 0} onClick={onAgain}>
          {report.isSent ? 'Send corrected rows' : 'Check corrected rows'}
        </button>
        <button type="button" disabled={onUndo === undefined} onClick={onUndo}>
          Undo last change
        </button>
        <button type="button" disabled={!isUnsent} onClick={onDiscard}>
          Discard corrections
        </button>
        <span role="status">
          {pluralize(count, 'correction')}
          {fresh > 0 && `, ${fresh.toLocaleString('en')} ${report.isSent ? 'not sent' : 'not checked'} yet`}
        </span>
      </p>
    </section>
  )
}

/** A cause as an entry of a list. */
function causeWords({ kind, column, letters, message, rows }: FindingCause): string {
  nameFieldsOf(kind)
  const where = column === undefined ? '' : `${letters === undefined ? columnLabel(column, kind) : column}: `
  const text = `${where}${screenText(message)}`
  return `${pluralize(rows, 'row')}, ${text.length > causeLengthMax ? `${text.slice(0, causeLengthMax)}…` : text}`
}

const causeLengthMax = 90
