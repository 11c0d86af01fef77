// Maps headings of a file to columns of the template, once, and saves the mapping for the next file
// of its kind.

import { pluralize } from '../../contract/pluralize.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { eventMarks, type Mapping } from '../../intake/layout.ts'
import { mappingText } from '../../intake/mapping.ts'
import { type Column, eventTables, locationTable, type Part, productTable } from '../../intake/template.ts'
import type { UnknownHeadings } from '../files/file-import.ts'
import { handOver } from '../files/saving.ts'
import { labelOf, nameFieldsOf } from '../words/labels.ts'
import { PlainTable } from './plain-table.tsx'

type Defaults = Readonly<Record<string, string>>

interface Props {
  readonly unknown: UnknownHeadings
  readonly mapping: Mapping | undefined
  readonly defaults: Defaults
  readonly onMapping: (mapping: Mapping) => void
  readonly onDefaults: (defaults: Defaults) => void
  /** Checks the file again, with the mapping as it is shown. */
  readonly onCheck: (mapping: Mapping) => void
}

const partWords: Readonly<Record<Part, string>> = {
  event: 'The event',
  line: 'The line',
  shipFrom: 'Ship-from location',
  shipTo: 'Ship-to location',
  product: 'The product',
  payload: 'The payload',
  record: 'Separate sheet',
}

const groupsOf = (kind: EventKindName): readonly { readonly words: string; readonly columns: readonly Column[] }[] =>
  [
    ...Object.entries(partWords).map(([part, words]) => ({
      words,
      columns: eventTables[kind].columns.filter((column) => column.part === part),
    })),
    { words: 'Sheet of locations', columns: locationTable.columns },
    { words: 'Sheet of products', columns: productTable.columns },
  ].filter(({ columns }) => columns.length > 0)

/** Columns that every line of an event must have. */
const wantedIn = (kind: EventKindName): readonly Column[] =>
  eventTables[kind].columns.filter(({ required, part }) => required && (part === 'event' || part === 'line'))
const nameOf = ({ path }: Column): string => labelOf(path.at(-1) ?? '')
/** These identify a sheet of events, so they must be columns. */
const isMark = ({ name }: Column): boolean => eventMarks.some((mark) => mark === name)

export function MappingForm({ unknown, mapping, defaults, onMapping, onDefaults, onCheck }: Props) {
  const kind = mapping?.kind ?? unknown.kind
  const kindShown = kind ?? 'receivingEvent'
  nameFieldsOf(kindShown)
  const columns = { ...unknown.columns, ...mapping?.columns }
  const headings = Object.entries(columns)
  const mappedColumns = new Set(headings.map(([, column]) => column))
  // A file of which most is known lacks nothing that a heading could give.
  const missing = wantedIn(kindShown).filter(({ name }) => unknown.whole && !mappedColumns.has(name))
  return (
    <section aria-labelledby="mapping-title" class="mapping">
      <div class="section-head">
        <h2 id="mapping-title">Match columns</h2>{' '}
        <span class="quiet">{pluralize(headings.length, 'unknown heading')}</span>
      </div>
      <p class="quiet">Likely matches are preselected. Columns left out are not imported.</p>
      {kind !== undefined && (
        <label class="mapping-kind">
          <span>The rows are</span>{' '}
          <select
            value={kind}
            onChange={({ currentTarget }) => onMapping({ kind: currentTarget.value as EventKindName, columns })}
          >
            <option value="receivingEvent">Receiving events</option>
            <option value="shippingEvent">Shipping events</option>
          </select>
        </label>
      )}
      <PlainTable label="Match columns" heads={['Heading of the file', 'First value', 'Column']}>
        {headings.map(([heading, column]) => (
          <tr key={heading}>
            <td>
              <bdi>{heading}</bdi>
            </td>
            <td>
              <bdi class="mono">{unknown.sample[heading]}</bdi>
            </td>
            <td>
              <select
                aria-label={`Column for ${heading}`}
                value={column ?? ''}
                onChange={({ currentTarget }) =>
                  onMapping({ kind, columns: { ...columns, [heading]: currentTarget.value || null } })
                }
              >
                <option value="">– left out –</option>
                {groupsOf(kindShown).map(({ words, columns: own }) => (
                  <optgroup key={words} label={words}>
                    {own.map((column) => (
                      <option key={words + column.name} value={column.name} title={column.name}>
                        {nameOf(column)}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </select>
            </td>
          </tr>
        ))}
      </PlainTable>
      {missing.some(isMark) && (
        <p class="callout">
          Choose a heading for <strong>{missing.filter(isMark).map(nameOf).join(', ')}</strong>. Every line needs it.
        </p>
      )}
      {missing.some((column) => !isMark(column)) && (
        <fieldset class="choices">
          <legend>No heading gives these, and every line needs them. Enter a value that holds for all lines.</legend>
          <div class="form-fields">
            {missing
              .filter((column) => !isMark(column))
              .map(({ name, path, meaning, example }) => (
                <label key={name} class="form-field">
                  <span title={name}>{labelOf(path[0])}</span>
                  <input
                    type="text"
                    value={defaults[name] ?? ''}
                    placeholder={example}
                    autocomplete="off"
                    onInput={({ currentTarget }) => onDefaults({ ...defaults, [name]: currentTarget.value })}
                  />
                  <span class="quiet small">{meaning}</span>
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
        For the next file of this kind, choose the saved file above, or give it to{' '}
        <code>lotkeeper import --mapping</code>.
      </p>
    </section>
  )
}
