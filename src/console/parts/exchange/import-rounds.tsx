// What became of the records of a file, before and after its rejected rows were corrected.
import type { ImportReport } from '../../files/file-import.ts'
import { importRecord, roundHeadings, roundTime, roundWords } from '../../files/import-record.ts'
import { handOver } from '../../files/saving.ts'
import type { Column } from '../../records/drawn-column.ts'
import { type ImportRound, isMended, type MendedFile, takenIn } from '../../state/exchange/mended-file.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { DataTable } from '../tables/data-table.tsx'

interface Props {
  readonly mended: MendedFile
  readonly report: ImportReport
}

const [time, step, mendedCells, taken, rejected] = roundHeadings

const columns: readonly Column<ImportRound>[] = [
  { heading: time, cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{roundTime(at)}</time> },
  { heading: step, cell: ({ as }) => roundWords[as] },
  { heading: mendedCells, isNumber: true, cell: ({ mended }) => mended.toLocaleString('en') },
  { heading: taken, isNumber: true, cell: (round) => takenIn(round).toLocaleString('en') },
  { heading: rejected, isNumber: true, cell: ({ counts }) => counts.rejected.toLocaleString('en') },
]

export function ImportRounds({ mended, report }: Props) {
  const { own } = useOpenSession()
  if (!isMended(mended) && !isMended({ mends: mended.sent })) return null
  return (
    <section aria-labelledby="rounds-title" class="mending">
      <div class="section-head">
        <h2 id="rounds-title">Record of this import</h2>
      </div>
      <p class="quiet">
        The file as it was, and corrections by <bdi>{own.personName ?? own.label}</bdi>. The saved record lists each
        corrected cell with its text in the file.
      </p>
      <DataTable label="Record of this import" columns={columns} rows={mended.rounds} keyOf={({ at }) => at} />
      <p class="actions">
        <button
          type="button"
          onClick={async () => {
            const { blob, name } = await importRecord({ mended, report, own })
            handOver(blob, name)
          }}
        >
          Save the record
        </button>
      </p>
    </section>
  )
}
