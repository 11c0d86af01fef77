// Imports that ended early, each with a way to continue: the browser forgets a file with its page,
// so it is chosen again.
import { useRef, useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { type BrokenOffImport, brokenOffImports } from '../../state/exchange/import-memory.ts'
import { choicesIn, type ReadingChoices } from '../../state/exchange/import-steps.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { Fault } from '../frame/fault.tsx'
import { PlainTable } from '../tables/plain-table.tsx'

interface Props {
  readonly account: string
  /** Sends the rest of the file, read as it was. */
  readonly onContinue: (file: File, choices: ReadingChoices) => void
}

export function BrokenOffImports({ account, onContinue }: Props) {
  const [all, setAll] = useState(() => brokenOffImports(account))
  if (all.length === 0) return null
  return (
    <section>
      <div class="section-head">
        <h2>Imports that ended early</h2>
      </div>
      <p class="quiet">What was sent is stored. To send the rest, press Continue and choose the same file again.</p>
      <PlainTable label="Imports that ended early" heads={['File', 'Sent', 'Last sent', 'Next']} isCards>
        {all.map((one) => (
          <BrokenOff
            key={`${one.file.name} ${one.at}`}
            brokenOff={one}
            onContinue={onContinue}
            onForget={() => {
              one.forget()
              setAll(brokenOffImports(account))
            }}
          />
        ))}
      </PlainTable>
    </section>
  )
}

interface RowProps extends Pick<Props, 'onContinue'> {
  readonly brokenOff: BrokenOffImport
  readonly onForget: () => void
}

function BrokenOff({ brokenOff, onContinue, onForget }: RowProps) {
  const { file, asked, stored, rejected, at } = brokenOff
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
    <tr>
      <td data-words="File">
        <bdi>{file.name}</bdi>
      </td>
      <td data-words="Sent">
        {pluralize(stored, 'record')} stored{rejected > 0 && `, ${rejected.toLocaleString('en')} rejected`}
      </td>
      <td data-words="Last sent">
        <time dateTime={new Date(at).toISOString()}>{dateTimeWords(new Date(at).toISOString())}</time>
      </td>
      <td data-words="Next">
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
      </td>
    </tr>
  )
}
