// A field for one value of a filter, with a list of the values that are there: how many records
// have each, and its name. What is typed narrows the list; any value can be typed.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListValues } from '../../client/generated/shapes.ts'
import { useRequest } from '../state/request.ts'
import { pluralize } from '../words/labels.ts'

type AskValues = (containing: string, signal: AbortSignal) => Promise<ListValues>

interface Props {
  readonly id: string
  readonly name: string
  readonly value: string
  /** What the records are called. */
  readonly nouns: string
  readonly ask: AskValues
  /** What the values depend on. */
  readonly about: unknown
  readonly onPick: (value: string) => void
}

/** How long typing rests before values are asked for, in milliseconds. */
const restMs = 150

export function ValuePicker({ id, name, value, nouns, ask, about, onPick }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(-1)
  useEffect(() => {
    if (field.current) field.current.value = value
  }, [value])
  const close = () => {
    setOpen(false)
    setAt(-1)
    setTyped('')
  }
  return (
    <div class="picker">
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
        defaultValue={value}
        placeholder="Any"
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
          nouns={nouns}
          ask={ask}
          onPick={(picked) => {
            if (field.current) field.current.value = picked
            close()
            onPick(picked)
          }}
        />
      )}
    </div>
  )
}

interface ValuesProps extends Pick<Props, 'id' | 'ask' | 'about' | 'nouns' | 'onPick'> {
  readonly typed: string
  readonly at: number
}

function Values({ id, typed, about, at, nouns, ask, onPick }: ValuesProps) {
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
      <div id={`${id}-values`} role="listbox" aria-label="Values">
        {asked.is === 'answered' &&
          asked.value.content.map(({ value, label, records }, n) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field that has the focus has the keys
            <div
              key={value}
              id={`${id}-value-${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === at}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(value)}
            >
              <span>
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
