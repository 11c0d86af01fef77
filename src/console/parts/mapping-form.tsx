// Maps headings of a file to columns of the template, once, and saves the mapping for the next file
// of its kind.
import type { Mapping } from '../../intake/layout.ts'
import { ownLayouts } from '../../intake/layout.ts'
import { mappingText } from '../../intake/mapping.ts'
import { type Column, eventTable, locationTable, type Part, productTable } from '../../intake/template.ts'
import type { UnknownHeadings } from '../files/file-import.ts'
import { handOver } from '../files/saving.ts'
import { labelOf, pluralize } from '../words/labels.ts'
import { PlainTable } from './plain-table.tsx'

type Defaults = Readonly<Record<string, string>>

interface Props {
  readonly unknown: UnknownHeadings
  readonly columns: Mapping['columns']
  readonly defaults: Defaults
  readonly onColumns: (columns: Mapping['columns']) => void
  readonly onDefaults: (defaults: Defaults) => void
  readonly onCheck: () => void
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

const groups: readonly { readonly words: string; readonly columns: readonly Column[] }[] = [
  ...Object.entries(partWords).map(([part, words]) => ({
    words,
    columns: eventTable.columns.filter((column) => column.part === part),
  })),
  { words: 'Sheet of locations', columns: locationTable.columns },
  { words: 'Sheet of products', columns: productTable.columns },
].filter(({ columns }) => columns.length > 0)

/** Columns that every line of a receiving event must have. */
const wanted = eventTable.columns.filter(({ required, part }) => required && (part === 'event' || part === 'line'))
/** These identify a sheet of events, so they must be columns. */
const marks: readonly string[] = ownLayouts.find(({ table }) => table === eventTable)?.marks ?? []
const nameOf = ({ path }: Column): string => labelOf(path.at(-1) ?? '')
const isMark = ({ name }: Column): boolean => marks.includes(name)

export function MappingForm({ unknown, columns, defaults, onColumns, onDefaults, onCheck }: Props) {
  const headings = Object.entries({ ...unknown.columns, ...columns })
  const mappedColumns = new Set(headings.map(([, column]) => column))
  // A file of which most is known lacks nothing that a heading could give.
  const missing = wanted.filter(({ name }) => unknown.whole && !mappedColumns.has(name))
  return (
    <section aria-labelledby="mapping-title" class="mapping">
      <div class="section-head">
        <h2 id="mapping-title">Match columns</h2>{' '}
        <span class="quiet">{pluralize(headings.length, 'unknown heading')}</span>
      </div>
      <p class="quiet">Likely matches are preselected. Columns left out are not imported.</p>
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
                onChange={({ currentTarget }) => onColumns({ ...columns, [heading]: currentTarget.value || null })}
              >
                <option value="">– left out –</option>
                {groups.map(({ words, columns: own }) => (
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
        <button type="button" class="main" onClick={onCheck}>
          Check with these columns
        </button>
        <button
          type="button"
          onClick={() => handOver(new Blob([mappingText({ columns: Object.fromEntries(headings) })]), 'mapping.json')}
        >
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
