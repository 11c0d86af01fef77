// Matches the columns of a file with fields, each with how sure the proposal is, and gives fields
// that no column has one value for all rows. Kept for the next file of the same headings.

import type { EventKindName } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { SheetColumn } from '../../../intake/intake-record.ts'
import { type Mapping, replacements } from '../../../intake/layout.ts'
import { mappingText } from '../../../intake/mapping.ts'
import type { FirstCell, FirstRows } from '../../../intake/mending/first-rows.ts'
import type { Mends } from '../../../intake/mending/mends.ts'
import { type Defaults, withDefault } from '../../../intake/read-row.ts'
import { type Column, eventTables } from '../../../intake/template.ts'
import type { RuleSettings } from '../../../rules/rule.ts'
import type { AskedColumns } from '../../files/file-import.ts'
import { handOver } from '../../files/saving.ts'
import { allGroups, columnLabel, eventKindChoices, fieldLabel } from '../../records/column-words.ts'
import type { Column as TableColumn } from '../../records/drawn-column.ts'
import { useFirstRows } from '../../state/exchange/first-rows.ts'
import type { ReadingChoices } from '../../state/exchange/reading-choices.ts'
import { nameFieldsOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { Select } from '../fields/select.tsx'
import { TextField } from '../fields/text-field.tsx'
import { DataTable } from '../tables/data-table.tsx'

interface Props {
  readonly asked: AskedColumns
  readonly file: File
  readonly choices: ReadingChoices
  readonly mends: Mends
  readonly settings: RuleSettings
  readonly onMapping: (mapping: Mapping) => void
  readonly onDefaults: (defaults: Defaults) => void
  /** Checks the file again, with the mapping as it is shown. */
  readonly onCheck: (mapping: Mapping) => void
  /** Proposes columns again, for this kind of events. */
  readonly onKind: (kind: EventKindName) => void
}

/** Columns that every line of an event must have. */
const wantedIn = (kind: EventKindName): readonly Column[] =>
  eventTables[kind].columns.filter(({ required, part }) => required && (part === 'event' || part === 'line'))

/** How sure a proposal is, or why there is none. */
function basisWords({ basis }: SheetColumn, kind: EventKindName): string {
  switch (basis.is) {
    case 'fits':
      return `Sure: heading and ${pluralize(basis.values, 'value')} fit`
    case 'empty':
      return 'Unsure: by its heading only, the column is empty'
    case 'contradicted':
      return `Left out: the heading says ${columnLabel(basis.column, kind)}, but “${basis.value.slice(0, 40)}” is none`
    case 'contested':
      return `Left out: “${basis.by}” is ${columnLabel(basis.column, kind)} too, or more exactly`
    case 'no kind':
      return 'Left out: nothing says which kind of document it is'
    case 'unknown':
      return 'Left out: no field of this name'
    case 'chosen':
      return ''
  }
}

export function MappingForm({ asked, choices, onMapping, onDefaults, onCheck, onKind, ...read }: Props) {
  const { mapping, defaults } = choices
  const kind = mapping?.kind ?? asked.kind
  const kindShown = kind ?? 'receivingEvent'
  nameFieldsOf(kindShown)
  const chosen = new Map(Object.entries(mapping?.columns ?? {}))
  const shown = asked.columns.map((one) => ({
    one,
    column: chosen.has(one.title) ? (chosen.get(one.title) ?? null) : one.column,
  }))
  const columns = Object.fromEntries([...chosen, ...shown.map(({ one, column }) => [one.title, column] as const)])
  const rows = useFirstRows({ ...read, choices: { ...choices, mapping: { kind, columns } } })
  const given = new Set([...asked.given, ...shown.map(({ column }) => column)])
  const missing = wantedIn(kindShown).filter(
    ({ name }) => ![name, ...(replacements[name] ?? [])].some((one) => given.has(one)),
  )
  const matched = shown.filter(({ column }) => column !== null).length
  return (
    <section aria-labelledby="mapping-title" class="mapping">
      <div class="section-head">
        <h2 id="mapping-title">Match columns</h2>{' '}
        <span class="quiet">
          {matched} of {pluralize(shown.length, 'column')} matched
        </span>
      </div>
      <p class="quiet">
        A column is proposed where its heading and its first hundred values fit a field. Columns left out are not
        imported. Beside each column are the first rows as they will be read.
      </p>
      {kind !== undefined && (
        <label class="mapping-kind">
          <span>The rows are</span> <Select choices={eventKindChoices} value={kind} onChoose={onKind} />
        </label>
      )}
      <DataTable
        isWide
        label="Match columns"
        columns={[
          ...columnsFor(kindShown, (title, column) => onMapping({ kind, columns: { ...columns, [title]: column } })),
          ...rowColumns(rows, kindShown),
        ]}
        rows={shown}
        keyOf={({ one }) => one.title}
      />
      {rows.size === 0 && missing.length > 0 && (
        <p class="quiet">
          The rows can be read once these have a column or a value: {missing.map(fieldLabel).join(', ')}.
        </p>
      )}
      {missing.length > 0 && <ValuesForAll fields={missing} defaults={defaults} onDefaults={onDefaults} />}
      <p class="actions">
        <button type="button" class="main" onClick={() => onCheck({ kind, columns })}>
          Check with these columns
        </button>
        <button type="button" onClick={() => handOver(new Blob([mappingText({ kind, columns })]), 'mapping.json')}>
          Save columns
        </button>
      </p>
      <p class="quiet small">
        This browser matches the next file with the same headings in the same way. For other computers, choose the saved
        file above, or give it to <code>lotkeeper import --mapping</code>.
      </p>
    </section>
  )
}

interface MatchedColumn {
  readonly one: SheetColumn
  /** Null where it is left out. */
  readonly column: string | null
}

function columnsFor(
  kind: EventKindName,
  onField: (title: string, column: string | null) => void,
): readonly TableColumn<MatchedColumn>[] {
  const groups = allGroups(kind).map(({ words, columns }) => ({
    words,
    choices: columns.map(
      (field) => [field.name, field.part === 'record' ? fieldLabel(field) : columnLabel(field.name, kind)] as const,
    ),
  }))
  return [
    { heading: 'Heading of the file', cell: ({ one }) => <bdi>{one.title}</bdi> },
    {
      heading: 'Field',
      cell: ({ one, column }) => (
        <>
          <Select
            aria-label={`Column for ${one.title}`}
            choices={[['', '– left out –']]}
            groups={groups}
            value={column ?? ''}
            onChoose={(chosen) => onField(one.title, chosen || null)}
          />
          {column === one.column && <span class="quiet small">{basisWords(one, kind)}</span>}
        </>
      ),
    },
  ]
}

const shownRows = ['First row', 'Second row', 'Third row'] as const

/** The first rows as they will be read; while they cannot be, a first value of each column. */
function rowColumns(rows: FirstRows, kind: EventKindName): readonly (TableColumn<MatchedColumn> | false)[] {
  if (rows.size === 0) return [{ heading: 'First value', cell: ({ one }) => <bdi class="mono">{one.sample}</bdi> }]
  const all = [...rows.values()]
  return [
    ...shownRows.map(
      (heading, n) =>
        all.some((cells) => cells.length > n) && {
          heading,
          cell: ({ one: { title }, column }: MatchedColumn) => {
            const cell = rows.get(title)?.[n]
            return cell && <ReadCell {...{ cell, kind }} isLeftOut={column === null} />
          },
        },
    ),
    all.some((cells) => cells.some(isMisfit)) && {
      heading: 'Does not fit',
      cell: ({ one: { title } }) => <Misfits cells={rows.get(title) ?? []} />,
    },
  ]
}

const isMisfit = ({ findings }: FirstCell): boolean => findings.some(({ severity }) => severity === 'error')

/** How many of the first hundred values do not fit, and the first of them. */
function Misfits({ cells }: { readonly cells: readonly FirstCell[] }) {
  const misfits = cells.filter(isMisfit)
  const [first] = misfits
  if (first === undefined) return null
  return (
    <div class="read-cell misfit small">
      {misfits.length.toLocaleString('en')} of the first {cells.length}, row {first.row}:
      <p class="fault" dir="auto">
        {first.findings.map(({ message }) => screenText(message)).join(' ')}
      </p>
    </div>
  )
}

interface ReadProps {
  readonly cell: FirstCell
  readonly isLeftOut: boolean
  readonly kind: EventKindName
}

/** A cell as it will be read: with the text of the file where that differs, and its misfits. */
function ReadCell({ cell: { text, values, findings }, isLeftOut, kind }: ReadProps) {
  if (isLeftOut) return <bdi class="mono quiet">{text}</bdi>
  const isAsWritten = values.length === 1 && values[0]?.[1] === text
  return (
    <div class={findings.some(({ severity }) => severity === 'error') ? 'read-cell misfit' : 'read-cell'}>
      {values.map(([column, value]) => (
        <p key={column}>
          {values.length > 1 && <span class="quiet small">{columnLabel(column, kind)}: </span>}
          <bdi class="mono">{value}</bdi>
        </p>
      ))}
      {!isAsWritten && text !== '' && (
        <p class="quiet small">
          In the file: <bdi>{text}</bdi>
        </p>
      )}
      {findings.map(({ message, severity }) => (
        <p key={message} class={severity === 'error' ? 'fault small' : 'quiet small'} dir="auto">
          {screenText(message)}
        </p>
      ))}
    </div>
  )
}

interface ValuesProps extends Pick<Props, 'onDefaults'>, Pick<ReadingChoices, 'defaults'> {
  readonly fields: readonly Column[]
}

/** What every line needs, and no column gives. */
const ValuesForAll = ({ fields, defaults, onDefaults }: ValuesProps) => (
  <fieldset class="choices">
    <legend>No column gives these, and every line needs them. Enter a value that holds for all rows.</legend>
    <div class="form-fields">
      {fields.map((field) => (
        <TextField
          key={field.name}
          id={`default-${field.name}`}
          label={fieldLabel(field)}
          hint={screenText(field.meaning)}
          value={defaults[field.name] ?? ''}
          placeholder={field.example}
          onInput={({ currentTarget }) => onDefaults(withDefault(defaults, field.name, currentTarget.value))}
        />
      ))}
    </div>
  </fieldset>
)
