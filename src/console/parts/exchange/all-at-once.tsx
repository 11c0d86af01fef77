// One cause in many rows is corrected at once: a value for all of them, or one for each text of a
// column. What would change is shown before it does.
import { useState } from 'preact/hooks'
import { isEventKind } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { FindingCause } from '../../../intake/finding-causes.ts'
import { leftOut, type Mend, type Mends } from '../../../intake/mending/mends.ts'
import { mendsOf, type RejectedCells, valuesIn } from '../../../intake/mending/rejected-cells.ts'
import { columnLabel, eventGroups, fieldLabel } from '../../records/column-words.ts'
import { remedyWords, screenText } from '../../words/screen-words.ts'
import { Select } from '../fields/select.tsx'
import { TextField } from '../fields/text-field.tsx'

interface Props {
  readonly cause: FindingCause
  /** Those of the cause. */
  readonly rows: readonly RejectedCells[]
  readonly mends: Mends
  readonly onMend: (mends: readonly Mend[]) => void
}

/** Texts for each of which a value can be given. */
const valuesMax = 20
/** Changes that are shown one by one before they are made. */
const examplesMax = 5

export function AllAtOnce({ cause, rows, mends, onMend }: Props) {
  const { kind, headings = [] } = rows[0] ?? {}
  const { column: named } = cause
  const columns = [...new Set([...(named === undefined ? [] : [named]), ...headings.filter(Boolean)])]
  const [column, setColumn] = useState(columns[0] ?? '')
  const [by, setBy] = useState(column)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [done, setDone] = useState('')
  const label = (one: string) => (headings.includes(one) ? one : columnLabel(one, kind))
  const choices = columns.map((one) => [one, label(one)] as const)
  const groups = groupsBeside(kind, columns)
  const texts = valuesIn(rows, by, mends)
  const given = new Map(Object.entries(values).filter(([, value]) => value !== ''))
  const changes = mendsOf(rows, { column, by, values: given }, mends)
  const make = (all: readonly Mend[], words: string) => {
    onMend(all)
    setValues({})
    setDone(words)
  }
  const change = (name: string, value: string) => {
    setValues({ ...values, [name]: value })
    setDone('')
  }
  return (
    <fieldset class="choices all-at-once">
      <legend>Correct {rows.length === 1 ? 'this row' : `all ${pluralize(rows.length, 'row')}`} at once</legend>
      <p dir="auto">
        {screenText(cause.message)} {remedyWords(cause)}
      </p>
      <label>
        <span>Write into</span>
        <Select {...{ choices, groups }} value={column} onChoose={setColumn} />
      </label>
      <label>
        <span>A value for each text of</span>
        <Select
          {...{ choices }}
          value={by}
          onChoose={(chosen) => {
            setBy(chosen)
            setValues({})
          }}
        />
      </label>
      <div class="form-fields">
        {texts.slice(0, valuesMax).map(([text, count], i) => (
          <TextField
            key={text}
            id={`all-at-once-${i}`}
            label={`${text === '' ? 'Blank' : `“${text}”`} in ${pluralize(count, 'row')} becomes`}
            value={values[text] ?? ''}
            onInput={({ currentTarget }) => change(text, currentTarget.value)}
          />
        ))}
      </div>
      {texts.length > valuesMax && (
        <p class="quiet">
          The {valuesMax} most frequent of {texts.length.toLocaleString('en')} texts are shown. Choose another column,
          or correct the others in the table.
        </p>
      )}
      {texts.length > 1 && (
        <TextField
          id="all-at-once-all"
          label="All of them become"
          value={sameIn(texts, values)}
          onInput={({ currentTarget: { value } }) => {
            setValues(Object.fromEntries(texts.map(([text]) => [text, value])))
            setDone('')
          }}
        />
      )}
      <div role="status">{done || <Preview changes={changes} />}</div>
      <p class="actions">
        <button
          type="button"
          disabled={changes.length === 0}
          onClick={() => make(changes, `${pluralize(changes.length, 'row')} changed.`)}
        >
          Change {pluralize(changes.length, 'row')}
        </button>
        <button
          type="button"
          onClick={() =>
            make(
              rows.map(({ sheet, number }) => leftOut(sheet, number)),
              `${pluralize(rows.length, 'row')} left out.`,
            )
          }
        >
          Leave {rows.length === 1 ? 'this row' : `all ${pluralize(rows.length, 'row')}`} out
        </button>
      </p>
    </fieldset>
  )
}

/** Fields that the sheet lacks, in the groups of the form. */
function groupsBeside(kind: RejectedCells['kind'] | undefined, columns: readonly string[]) {
  const groups = kind !== undefined && isEventKind(kind) ? eventGroups(kind) : []
  return groups.map(({ words, columns: fields }) => ({
    words: `Not in the sheet: ${words}`,
    choices: fields
      .filter(({ name, heading }) => !columns.includes(name) && !columns.includes(heading))
      .map((field) => [field.name, fieldLabel(field)] as const),
  }))
}

const Preview = ({ changes }: { readonly changes: ReturnType<typeof mendsOf> }) => (
  <>
    {changes.length === 0 ? 'No row will change.' : `${pluralize(changes.length, 'row')} will change:`}
    <ul>
      {changes.slice(0, examplesMax).map(({ row, was, to }) => (
        <li key={row}>
          Row {row}: {was === '' ? 'blank' : <bdi>“{was}”</bdi>} becomes <bdi>“{to}”</bdi>
        </li>
      ))}
      {changes.length > examplesMax && <li>and {pluralize(changes.length - examplesMax, 'other row')}</li>}
    </ul>
  </>
)

/** The value that all texts get, if it is the same. */
const sameIn = (texts: readonly (readonly [string, number])[], values: Readonly<Record<string, string>>): string => {
  const all = new Set(texts.map(([text]) => values[text] ?? ''))
  return all.size === 1 ? ([...all][0] ?? '') : ''
}
