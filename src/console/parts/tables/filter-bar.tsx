// The filters of a list: the most used in sight, the others a click away, those in use shown where
// they can be taken off.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ListValues } from '../../../client/generated/shapes.ts'
import type { QueryParameter } from '../../../operations/base/query.ts'
import {
  type DeclaredFilter,
  dateTimeFromField,
  type Filters,
  fieldFromDateTime,
  filterLabel,
  valuesOf,
} from '../../records/filters.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { DateInput } from '../fields/date-input.tsx'
import { type Choices, Select } from '../fields/select.tsx'
import { ValuePicker } from '../fields/value-picker.tsx'

interface Props {
  readonly declared: Readonly<Record<string, DeclaredFilter>>
  /** Name of the filter in sight. */
  readonly search: string
  /** Names of others in sight. */
  readonly shownElsewhere?: readonly string[]
  readonly filters: Filters
  readonly onFilter: (filters: Filters) => void
  /** Called when the fields no longer match `filters`. */
  readonly onTyped?: () => void
  /** Filters whose values can be listed. */
  readonly values?: FilterValues
  /** Beside the button that finds. */
  readonly beside?: ComponentChildren
}

/** Lists the values of filters, which depend on the other filters. */
interface FilterValues {
  readonly of: readonly string[]
  readonly nouns: string
  readonly ask: (name: string, containing: string, signal: AbortSignal) => Promise<ListValues>
}

export function FilterBar({ declared, search, shownElsewhere = [], filters, onFilter, onTyped, ...more }: Props) {
  const { values, beside } = more
  const form = useRef<HTMLFormElement>(null)
  const others = Object.entries(declared).filter(([name]) => name !== search && !shownElsewhere.includes(name))
  const [open, setOpen] = useState(false)
  const prominent = declared[search]

  // Fill the fields from the address, also after going back, before anybody types.
  useLayoutEffect(() => form.current?.reset(), [JSON.stringify(filters)])

  const apply = (event: Event) => {
    event.preventDefault()
    onFilter(withoutEmpty(enteredIn(new FormData(form.current ?? undefined), declared, filters)))
  }
  /** A filter without a value is none. */
  const set = (name: string, value: string) => onFilter(withoutEmpty({ ...filters, [name]: value }))
  /** True where the values explain the filter, so that it needs no hint. */
  const isChosen = (name: string, parameter: QueryParameter) => values?.of.includes(name) || isYesOrNo(name, parameter)
  const fieldOf = (name: string, parameter: DeclaredFilter) => ({
    name,
    parameter,
    value: filters[name] ?? '',
    picker: pickerOf(name, filters, values, (value) =>
      declared[name]?.many ? set(name, toggleValue(filters[name], value)) : onFilter({ ...filters, [name]: value }),
    ),
  })

  return (
    <search>
      <form ref={form} class="filters" onSubmit={apply} onInput={onTyped}>
        <div class="search">
          {prominent && (
            <>
              <label for={`filter-${search}`}>{filterLabel(search, prominent)}</label>
              <Field {...fieldOf(search, prominent)} prominent />
            </>
          )}
          {shownElsewhere.map((name) => {
            const parameter = declared[name]
            return (
              parameter && (
                <div key={name} class="filter-beside">
                  <label for={`filter-${name}`}>{filterLabel(name, parameter)}</label>
                  <Field {...fieldOf(name, parameter)} hinted={false} />
                </div>
              )
            )
          })}
          <button type="submit" class="main">
            Find
          </button>
          <button type="button" aria-expanded={open} aria-controls="more-filters" onClick={() => setOpen(!open)}>
            More filters
          </button>
          {beside}
        </div>
        <div id="more-filters" class="more-filters" hidden={!open}>
          {others.map(([name, parameter]) => (
            <div key={name} class="filter">
              <label for={`filter-${name}`}>{filterLabel(name, parameter)}</label>
              <Field {...fieldOf(name, parameter)} />
              {!isChosen(name, parameter) && (
                <p id={`hint-${name}`} class="quiet small">
                  {screenText(parameter.meaning)}
                </p>
              )}
            </div>
          ))}
          <p class="quiet small filter-note">
            Filters match exactly. A result matches every filter, and one of the values of a filter.
          </p>
        </div>
        <Chips declared={declared} filters={filters} onSet={set} onClear={() => onFilter({})} />
      </form>
    </search>
  )
}

/** Lists the values of a filter, where that can be done. */
const pickerOf = (
  name: string,
  filters: Filters,
  values: FilterValues | undefined,
  onPick: (value: string) => void,
): FieldProps['picker'] =>
  values?.of.includes(name)
    ? {
        nouns: values.nouns,
        about: Object.entries(filters).filter(([other]) => other !== name),
        ask: async (containing, signal) => {
          const found = await values.ask(name, containing, signal)
          for (const { value, label } of found.content) if (label !== null) names.set(`${name} ${value}`, label)
          return found
        },
        onPick,
      }
    : undefined

const withoutEmpty = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))

/** What the fields have; a filter that has no field stays. */
function enteredIn(fields: FormData, declared: Props['declared'], filters: Filters): Filters {
  return Object.fromEntries(
    Object.entries(declared).map(([name, { form, many }]) => {
      // A form has no field for a box that is not ticked.
      if (form === 'boolean') return [name, String(fields.get(name) ?? '')] as const
      if (many) return [name, valuesOf(fields.getAll(name).join('\n')).join('\n')] as const
      const text = String(fields.get(name) ?? filters[name] ?? '').trim()
      return [name, form === 'dateTime' && fields.has(name) ? dateTimeFromField(text) : text] as const
    }),
  )
}

interface ChipsProps extends Pick<Props, 'declared' | 'filters'> {
  readonly onSet: (name: string, value: string) => void
  readonly onClear: () => void
}

/** The filters in use: one for each value, so that each can be removed alone. */
function Chips({ declared, filters, onSet, onClear }: ChipsProps) {
  const chips = Object.entries(filters).flatMap(([name, text]) => {
    const parameter = declared[name] as DeclaredFilter
    const all = parameter.many ? valuesOf(text) : [text]
    return all.map((value) => ({
      name,
      value,
      label: filterLabel(name, parameter),
      words: names.get(`${name} ${value}`) ?? valueWords(value, parameter),
      rest: all.filter((other) => other !== value).join('\n'),
    }))
  })
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters in use">
      {chips.map(({ name, value, label, words, rest }) => (
        <li key={`${name} ${value}`} class="chip">
          <span>
            {label}: <bdi>{words}</bdi>
          </span>
          <button
            type="button"
            class="plain"
            onClick={() => onSet(name, rest)}
            aria-label={`Remove filter ${words === 'yes' || words === 'no' ? `${label}: ${words}` : words}`}
          >
            ×
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={onClear}>
            Clear filters
          </button>
        </li>
      )}
    </ul>
  )
}

interface FieldProps {
  readonly name: string
  readonly parameter: QueryParameter
  readonly value: string
  readonly prominent?: boolean
  /** False without a hint below the field. */
  readonly hinted?: boolean
  readonly picker?: Pick<Parameters<typeof ValuePicker>[0], 'nouns' | 'about' | 'ask' | 'onPick'> | undefined
}

/** The values of a filter with one more, or without it if it is one of them. */
function toggleValue(text = '', value: string): string {
  const values = valuesOf(text)
  return (values.includes(value) ? values.filter((one) => one !== value) : [...values, value]).join('\n')
}

/** Names of values that were listed, by filter and value. */
const names = new Map<string, string>()

const anyOrNot: Choices = [
  ['', 'Any'],
  ['true', 'Yes'],
  ['false', 'No'],
]

/** `hasGaps`, `isReceived`: also asked for what has none. */
const isYesOrNo = (name: string, { form }: QueryParameter): boolean =>
  form === 'boolean' && /^(?:has|is)[A-Z]/.test(name)

const valueWords = (value: string, { form }: QueryParameter): string =>
  form === 'boolean' ? (value === 'true' ? 'yes' : 'no') : dateTimeWords(value)

/** Enter finds, as in a field of one line; with Shift it begins a line. */
function findOnEnter(event: KeyboardEvent) {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  if (event.currentTarget instanceof HTMLTextAreaElement) event.currentTarget.form?.requestSubmit()
}

function Field({ name, parameter, value, prominent = false, hinted = !prominent, picker }: FieldProps) {
  const described = hinted ? { 'aria-describedby': `hint-${name}` } : { title: screenText(parameter.meaning) }
  if (parameter.form === 'dateTime')
    return (
      <DateInput isUtcTime id={`filter-${name}`} name={name} defaultValue={fieldFromDateTime(value)} {...described} />
    )
  if (picker !== undefined)
    return <ValuePicker id={`filter-${name}`} name={name} value={value} many={parameter.many === true} {...picker} />
  if (isYesOrNo(name, parameter)) return <Select id={`filter-${name}`} name={name} choices={anyOrNot} value={value} />
  if (parameter.form === 'boolean')
    return (
      <input
        type="checkbox"
        id={`filter-${name}`}
        name={name}
        value="true"
        defaultChecked={value === 'true'}
        {...described}
      />
    )
  if (parameter.suggested !== undefined) {
    const chosen = valuesOf(value)
    return (
      <select multiple size={prominent ? 1 : 5} id={`filter-${name}`} name={name} {...described}>
        {[...new Set([...parameter.suggested, ...chosen])].map((one) => (
          <option key={`${one} ${chosen.includes(one)}`} value={one} selected={chosen.includes(one)}>
            {one}
          </option>
        ))}
      </select>
    )
  }
  if (parameter.many)
    return (
      <textarea
        id={`filter-${name}`}
        name={name}
        rows={Math.min(6, Math.max(prominent ? 1 : 2, valuesOf(value).length))}
        defaultValue={value}
        placeholder={parameter.example}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        {...(prominent && { 'data-search': '', onKeyDown: findOnEnter })}
        {...described}
        {...{ title: prominent ? 'Several values: one per line, with Shift and Enter' : 'Several: one on each line' }}
      />
    )
  if (parameter.form === 'date')
    return <DateInput id={`filter-${name}`} name={name} defaultValue={value} {...described} />
  return (
    <input
      type="text"
      id={`filter-${name}`}
      name={name}
      defaultValue={value}
      placeholder={parameter.example}
      autocomplete="off"
      spellcheck={false}
      dir="auto"
      {...(prominent && { 'data-search': '' })}
      {...described}
    />
  )
}
