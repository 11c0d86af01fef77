// Imports that ended early, each with a way to continue: the browser forgets a file with its page,
// so it is chosen again.
import { useRef, useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Column } from '../../records/drawn-column.ts'
import { type BrokenOffImport, brokenOffImports } from '../../state/exchange/import-memory.ts'
import { choicesIn, type ReadingChoices } from '../../state/exchange/reading-choices.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { Fault } from '../frame/fault.tsx'
import { DataTable } from '../tables/data-table.tsx'

interface Props {
  readonly account: string
  /** Sends the rest of the file, read as it was. */
  readonly onContinue: (file: File, choices: ReadingChoices) => void
}

export function BrokenOffImports({ account, onContinue }: Props) {
  const [all, setAll] = useState(() => brokenOffImports(account))
  if (all.length === 0) return null
  const forget = (one: BrokenOffImport) => {
    one.forget()
    setAll(brokenOffImports(account))
  }
  return (
    <section>
      <div class="section-head">
        <h2>Imports that ended early</h2>
      </div>
      <p class="quiet">What was sent is stored. To send the rest, press Continue and choose the same file again.</p>
      <DataTable
        isWide
        label="Imports that ended early"
        columns={[
          ...columns,
          { heading: 'Next', cell: (one) => <Next {...{ one, onContinue }} onForget={() => forget(one)} /> },
        ]}
        rows={all}
        keyOf={({ file, at }) => `${file.name} ${at}`}
      />
    </section>
  )
}

const columns: readonly Column<BrokenOffImport>[] = [
  { heading: 'File', cell: ({ file }) => <bdi>{file.name}</bdi> },
  {
    heading: 'Sent',
    cell: ({ stored, rejected }) =>
      `${pluralize(stored, 'record')} stored${rejected > 0 ? `, ${rejected.toLocaleString('en')} rejected` : ''}`,
  },
  {
    heading: 'Last sent',
    cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{dateTimeWords(new Date(at).toISOString())}</time>,
  },
]

interface NextProps extends Pick<Props, 'onContinue'> {
  readonly one: BrokenOffImport
  readonly onForget: () => void
}

/** Continues the import with its file, or forgets it. */
function Next({ one: { file, asked }, onContinue, onForget }: NextProps) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState('')
  const take = (chosen: File) => {
    if (chosen.name === file.name && chosen.size === file.size && chosen.lastModified === file.lastModified)
      onContinue(chosen, choicesIn(asked))
    else
      setFault(
        `${chosen.name} is not the file of this import, or was changed since. Choose it at the top of the page: records stored before are not stored twice.`,
      )
  }
  return (
    <>
      <span class="actions">
        <button type="button" onClick={() => input.current?.click()}>
          Continue<span class="hidden"> the import of {file.name}</span>
        </button>
        <button type="button" onClick={onForget}>
          Remove<span class="hidden"> the import of {file.name} from this list</span>
        </button>
      </span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`The file ${file.name}`}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen !== undefined) take(chosen)
          currentTarget.value = ''
        }}
      />
      <Fault>{fault}</Fault>
    </>
  )
}
