// A field for the values of a filter, with a list of the existing ones: the name of each, and its
// number of records. Typing narrows the list; any value can be typed.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListValues } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { valuesOf } from '../../records/filters.ts'
import { useRequest } from '../../state/frame/request.ts'

type AskValues = (containing: string, signal: AbortSignal) => Promise<ListValues>

interface Props {
  readonly id: string
  readonly name: string
  /** Several stand on a line each. */
  readonly value: string
  /** True where it may have several values: a pick adds one, or takes it away again. */
  readonly many: boolean
  /** The noun for the records. */
  readonly nouns: string
  readonly ask: AskValues
  /** The parameters that the values depend on. */
  readonly about: unknown
  readonly onPick?: (value: string) => void
  /** The meaning of an empty field. */
  readonly placeholder?: string
  readonly describedBy?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
}

/** How long typing rests before values are asked for, in milliseconds. */
const restMs = 150

export function ValuePicker({
  id,
  name,
  value,
  many,
  nouns,
  ask,
  about,
  onPick,
  placeholder = 'Any',
  describedBy,
  required = false,
  disabled = false,
}: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(-1)
  // Several are on chips and in hidden fields; the field itself is for one more.
  const chosen = many ? valuesOf(value) : []
  const shown = many ? '' : value
  useEffect(() => {
    if (field.current) field.current.value = shown
  }, [value])
  useEffect(() => {
    const option = at >= 0 && field.current?.parentElement?.querySelector('.active')
    if (option) option.scrollIntoView({ block: 'nearest' })
  }, [at])
  const close = () => {
    setOpen(false)
    setAt(-1)
    setTyped('')
  }
  return (
    <div class="picker">
      {chosen.map((one) => (
        <input key={one} type="hidden" name={name} value={one} />
      ))}
      <input
        ref={field}
        type="text"
        id={id}
        name={name}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-values`}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${id}-value-${at}` : undefined}
        defaultValue={shown}
        placeholder={chosen.length === 0 ? placeholder : `${chosen.length} chosen`}
        aria-describedby={describedBy}
        required={required}
        disabled={disabled}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={close}
        onInput={(event) => {
          setTyped(event.currentTarget.value.trim())
          setOpen(true)
          setAt(-1)
        }}
        onKeyDown={(event) => {
          const options = field.current?.parentElement?.querySelectorAll('[role=option]').length ?? 0
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            setOpen(true)
            if (options > 0) setAt((at + (event.key === 'ArrowDown' ? 1 : options + (at < 0 ? 0 : -1))) % options)
          } else if (event.key === 'Escape' && open) {
            event.stopPropagation()
            close()
          } else if (event.key === 'Enter' && open && at >= 0) {
            event.preventDefault()
            const option = field.current?.parentElement?.querySelector<HTMLElement>(
              `#${CSS.escape(`${id}-value-${at}`)}`,
            )
            option?.click()
          }
        }}
      />
      {open && (
        <Values
          id={id}
          typed={typed}
          about={about}
          at={at}
          chosen={many ? chosen : undefined}
          nouns={nouns}
          ask={ask}
          onPick={(picked) => {
            if (field.current) field.current.value = many ? '' : picked
            if (many) setTyped('')
            else close()
            onPick?.(picked)
          }}
        />
      )}
    </div>
  )
}

interface ValuesProps extends Pick<Props, 'id' | 'ask' | 'about' | 'nouns'> {
  readonly onPick: (value: string) => void
  readonly typed: string
  readonly at: number
  /** Undefined where one value is all that can be chosen. */
  readonly chosen: readonly string[] | undefined
}

function Values({ id, typed, about, at, chosen, nouns, ask, onPick }: ValuesProps) {
  const asked = useRequest(
    async (signal) => {
      if (typed !== '') await new Promise((resolve) => setTimeout(resolve, restMs))
      signal.throwIfAborted()
      return ask(typed, signal)
    },
    [typed, about],
  )
  return (
    <div class="picker-list">
      <div id={`${id}-values`} role="listbox" aria-label="Values" aria-multiselectable={chosen !== undefined}>
        {asked.is === 'answered' &&
          asked.value.content.map(({ value, label, records }, n) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field that has the focus has the keys
            <div
              key={value}
              id={`${id}-value-${n}`}
              role="option"
              tabIndex={-1}
              class={n === at ? 'active' : undefined}
              aria-selected={chosen === undefined ? n === at : chosen.includes(value)}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(value)}
            >
              <span>
                {chosen && (
                  <span class="picked" aria-hidden="true">
                    {chosen.includes(value) ? '✓' : ''}
                  </span>
                )}
                <bdi>{label ?? value}</bdi>
                {label !== null && label !== value && <bdi class="quiet small"> {value}</bdi>}
              </span>
              <span class="quiet number" title={pluralize(records, nouns.replace(/s$/, ''), nouns)}>
                {records.toLocaleString('en')}
              </span>
            </div>
          ))}
      </div>
      {asked.is !== 'answered' ? (
        <p class="quiet small" role="status">
          {asked.is === 'asking' ? 'Loading…' : 'The values could not be loaded. Type the value.'}
        </p>
      ) : asked.value.content.length === 0 ? (
        <p class="quiet small">No {nouns} have such a value.</p>
      ) : (
        !asked.value.isWhole && <p class="quiet small">Counted among the newest {nouns} only.</p>
      )}
    </div>
  )
}
