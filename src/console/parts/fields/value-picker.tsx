// A field for the values of a filter, with a list of the existing ones: the name of each, and its
// number of records. Typing narrows the list; any value can be typed.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListValues } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { valuesOf } from '../../records/filters.ts'
import { type RequestState, useRequest } from '../../state/frame/request.ts'
import { Combobox } from './combobox.tsx'

interface Props {
  readonly id: string
  readonly name: string
  /** Several values are separated by line breaks. */
  readonly value: string
  /** True where it may have several values: a pick adds one, or takes it away again. */
  readonly many: boolean
  /** The noun for the records. */
  readonly nouns: string
  readonly ask: (containing: string, signal: AbortSignal) => Promise<ListValues>
  /** The parameters that the values depend on. */
  readonly about: unknown
  readonly onPick?: ((value: string) => void) | undefined
  /** The meaning of an empty field. */
  readonly placeholder?: string
  readonly 'aria-describedby'?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
}

/** How long typing rests before values are asked for, in milliseconds. */
const restMs = 150

export function ValuePicker({ value, many, nouns, ask, about, onPick, placeholder = 'Any', ...input }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  // Several are on chips and in hidden fields; the field itself is for one more.
  const chosen = many ? valuesOf(value) : []
  const shown = many ? '' : value
  useEffect(() => {
    if (field.current) field.current.value = shown
  }, [value])
  const asked = useRequest(
    async (signal) => {
      if (typed === undefined) return undefined
      if (typed !== '') await new Promise((resolve) => setTimeout(resolve, restMs))
      signal.throwIfAborted()
      return ask(typed, signal)
    },
    [typed, about],
  )
  /** Who leaves the field after a whole name means the value that has it. */
  const takeNamed = () => {
    const name = field.current?.value.trim().toLowerCase()
    if (many || asked.is !== 'answered' || !name) return
    const named = asked.value?.content.filter(({ label }) => label?.toLowerCase() === name) ?? []
    const [only] = named
    if (only === undefined || named.length > 1 || field.current === null) return
    field.current.value = only.value
    onPick?.(only.value)
  }
  const isChosen = (one: string) => (many ? chosen.includes(one) : one === value)
  return (
    <>
      {chosen.map((one) => (
        <input key={one} type="hidden" name={input.name} value={one} />
      ))}
      <Combobox
        {...input}
        field={field}
        label="Values"
        defaultValue={shown}
        placeholder={chosen.length === 0 ? placeholder : `${chosen.length} chosen`}
        typed={typed}
        onTyped={(text) => {
          if (text === undefined) takeNamed()
          setTyped(text?.trim())
        }}
        choices={(asked.is === 'answered' && asked.value?.content) || []}
        isChosen={(one) => isChosen(one.value)}
        isMany={many}
        draw={({ value: one, label, records }) => (
          <>
            <span>
              {many && (
                <span class="picked" aria-hidden="true">
                  {isChosen(one) ? '✓' : ''}
                </span>
              )}
              <bdi>{label ?? one}</bdi>
              {label !== null && label !== one && <bdi class="quiet small"> {one}</bdi>}
            </span>
            <span class="quiet number" title={pluralize(records, nouns.replace(/s$/, ''), nouns)}>
              {records.toLocaleString('en')}
            </span>
          </>
        )}
        note={noteOf(asked, nouns)}
        onPick={({ value: picked }) => {
          if (field.current) field.current.value = many ? '' : picked
          setTyped(many ? '' : undefined)
          onPick?.(picked)
        }}
      />
    </>
  )
}

function noteOf(asked: RequestState<ListValues | undefined>, nouns: string): string | false {
  if (asked.is === 'asking') return 'Loading…'
  if (asked.is === 'failed') return 'The values could not be loaded. Type the value.'
  if (asked.value === undefined) return false
  if (asked.value.content.length === 0) return `No ${nouns} have such a value.`
  return !asked.value.isWhole && `Counted among the newest ${nouns} only.`
}
