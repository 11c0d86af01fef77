// What codes of a sender mean, as rows to fill in. Rows of a spreadsheet can be pasted.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Select } from '../fields/select.tsx'

export interface CodeRowsProps {
  readonly id: string
  readonly legend: string
  readonly hint: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly onRows: (rows: readonly (readonly string[])[]) => void
  /** Of the last column, where only these can be chosen. */
  readonly choices?: readonly (readonly [value: string, words: string])[]
  /** The noun for a row, for a button. */
  readonly noun: string
}

export function CodeRows({ id, legend, hint, heads, rows, onRows, choices, noun }: CodeRowsProps) {
  const fields = useRef<HTMLFieldSetElement>(null)
  /** Where the focus goes once the rows are drawn. */
  const next = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined) return
    fields.current?.querySelector<HTMLElement>(next.current)?.focus()
    next.current = undefined
  }, [rows])
  const add = () => {
    next.current = '.code-row:last-of-type input'
    onRows([...rows, heads.map(() => '')])
  }
  const remove = (at: number) => {
    next.current = '.add-row'
    onRows(rows.filter((_, i) => i !== at))
  }
  const change = (at: number, column: number, text: string) =>
    onRows(rows.map((row, i) => (i === at ? heads.map((_, n) => (n === column ? text : (row[n] ?? ''))) : row)))
  const paste = (event: ClipboardEvent, at: number) => {
    const pasted = (event.clipboardData?.getData('text/plain') ?? '').replace(/\r?\n$/, '')
    if (!/[\t\n]/.test(pasted)) return
    event.preventDefault()
    const more = pasted.split(/\r?\n/).map((line) => line.split('\t').slice(0, heads.length))
    onRows([...rows.slice(0, at), ...more, ...rows.slice(at + 1)])
  }
  return (
    <fieldset ref={fields} class="code-rows" aria-describedby={`${id}-hint`}>
      <legend>{legend}</legend>
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
      {rows.length > 0 && (
        <div class="code-heads" aria-hidden="true">
          {heads.map((words) => (
            <span key={words}>{words}</span>
          ))}
          <span />
        </div>
      )}
      {rows.map((row, at) => (
        <div key={String(at)} class="code-row">
          {heads.map((words, column) =>
            choices !== undefined && column === heads.length - 1 ? (
              <Select
                key={words}
                aria-label={`${words}, ${noun} ${at + 1}`}
                choices={[['', '– choose –'], ...choices]}
                value={row[column] ?? ''}
                onChoose={(chosen) => change(at, column, chosen)}
              />
            ) : (
              <input
                key={words}
                type="text"
                aria-label={`${words}, ${noun} ${at + 1}`}
                placeholder={words}
                value={row[column] ?? ''}
                autocomplete="off"
                spellcheck={false}
                dir="auto"
                maxLength={100}
                onInput={({ currentTarget }) => change(at, column, currentTarget.value)}
                onPaste={(event) => column === 0 && paste(event, at)}
              />
            ),
          )}
          <button type="button" class="plain" aria-label={`Remove ${noun} ${at + 1}`} onClick={() => remove(at)}>
            Remove
          </button>
        </div>
      ))}
      <p>
        <button type="button" class="add-row" onClick={add}>
          Add {noun}
        </button>
      </p>
    </fieldset>
  )
}
