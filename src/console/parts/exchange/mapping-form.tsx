// Matches the columns of a file with fields, each with how sure the proposal is, and gives fields
// that no column has one value for all rows. Kept for the next file of the same headings.

import type { EventKindName } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { SheetColumn } from '../../../intake/intake-record.ts'
import { type Mapping, replacements } from '../../../intake/layout.ts'
import { mappingText } from '../../../intake/mapping.ts'
import { type Defaults, withDefault } from '../../../intake/read-row.ts'
import { type Column, eventTables } from '../../../intake/template.ts'
import type { AskedColumns } from '../../files/file-import.ts'
import { handOver } from '../../files/saving.ts'
import { allGroups, columnLabel, fieldLabel } from '../../records/column-words.ts'
import { nameFieldsOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { PlainTable } from '../tables/plain-table.tsx'

interface Props {
  readonly asked: AskedColumns
  readonly mapping: Mapping | undefined
  readonly defaults: Defaults
  readonly onMapping: (mapping: Mapping) => void
  readonly onDefaults: (defaults: Defaults) => void
  /** Checks the file again, with the mapping as it is shown. */
  readonly onCheck: (mapping: Mapping) => void
  /** Proposes columns anew for this kind of events. */
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

export function MappingForm({ asked, mapping, defaults, onMapping, onDefaults, onCheck, onKind }: Props) {
  const kind = mapping?.kind ?? asked.kind
  const kindShown = kind ?? 'receivingEvent'
  nameFieldsOf(kindShown)
  const chosen = new Map(Object.entries(mapping?.columns ?? {}))
  const shown = asked.columns.map((one) => ({
    one,
    column: chosen.has(one.title) ? (chosen.get(one.title) ?? null) : one.column,
  }))
  const columns = Object.fromEntries([...chosen, ...shown.map(({ one, column }) => [one.title, column] as const)])
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
        imported.
      </p>
      {kind !== undefined && (
        <label class="mapping-kind">
          <span>The rows are</span>{' '}
          <select value={kind} onChange={({ currentTarget }) => onKind(currentTarget.value as EventKindName)}>
            <option value="receivingEvent">Receiving events</option>
            <option value="shippingEvent">Shipping events</option>
          </select>
        </label>
      )}
      <PlainTable label="Match columns" heads={['Heading of the file', 'First value', 'Field']} isCards>
        {shown.map(({ one, column }) => (
          <tr key={one.title}>
            <td data-words="Heading of the file">
              <bdi>{one.title}</bdi>
            </td>
            <td data-words="First value">
              <bdi class="mono">{one.sample}</bdi>
            </td>
            <td data-words="Field">
              <select
                aria-label={`Column for ${one.title}`}
                value={column ?? ''}
                onChange={({ currentTarget }) =>
                  onMapping({ kind, columns: { ...columns, [one.title]: currentTarget.value || null } })
                }
              >
                <option value="">– left out –</option>
                {allGroups(kindShown).map(({ words, columns: own }) => (
                  <optgroup key={words} label={words}>
                    {own.map((field) => (
                      <option key={words + field.name} value={field.name} title={field.name}>
                        {field.part === 'record' ? fieldLabel(field) : columnLabel(field.name, kindShown)}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </select>
              {column === one.column && <span class="quiet small">{basisWords(one, kindShown)}</span>}
            </td>
          </tr>
        ))}
      </PlainTable>
      {missing.length > 0 && (
        <fieldset class="choices">
          <legend>No column gives these, and every line needs them. Enter a value that holds for all rows.</legend>
          <div class="form-fields">
            {missing.map((field) => (
              <label key={field.name} class="form-field">
                <span title={field.name}>{fieldLabel(field)}</span>
                <input
                  type="text"
                  value={defaults[field.name] ?? ''}
                  placeholder={field.example}
                  autocomplete="off"
                  onInput={({ currentTarget }) => onDefaults(withDefault(defaults, field.name, currentTarget.value))}
                />
                <span class="quiet small">{screenText(field.meaning)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
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
