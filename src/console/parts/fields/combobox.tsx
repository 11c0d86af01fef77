// A text field with a list of choices below it, following ARIA: the focus stays in the field, the
// arrows go through the list, Enter takes a choice, and Escape closes the list.
import type { ComponentChildren, PartialInputHTMLAttributes, Ref } from 'preact'
import { useState } from 'preact/hooks'
import { useInView } from '../../state/frame/in-view.ts'

type InputNames = 'value' | 'defaultValue' | 'placeholder' | 'required' | 'disabled'

interface Props<Choice> extends Pick<PartialInputHTMLAttributes<HTMLInputElement>, InputNames> {
  readonly id: string
  readonly name?: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: boolean
  readonly field?: Ref<HTMLInputElement>
  /** The accessible name of the list. */
  readonly label: string
  /** What was typed since the list opened; undefined while it is closed. */
  readonly typed: string | undefined
  readonly onTyped: (typed: string | undefined) => void
  /** Called with each text that is typed. */
  readonly onText?: (text: string) => void
  readonly choices: readonly Choice[]
  readonly isChosen: (choice: Choice) => boolean
  /** True where several can be chosen. */
  readonly isMany?: boolean
  readonly draw: (choice: Choice) => ComponentChildren
  readonly onPick: (choice: Choice) => void
  /** Below the choices. */
  readonly note?: ComponentChildren
}

export function Combobox<Choice extends { readonly value: string }>({
  id,
  field = null,
  label,
  typed,
  onTyped,
  choices,
  isChosen,
  isMany = false,
  draw,
  onPick,
  note,
  onText,
  ...input
}: Props<Choice>) {
  const [at, setAt] = useState(-1)
  const isOpen = typed !== undefined && (choices.length > 0 || Boolean(note))
  const active = isOpen ? choices[at] : undefined
  useInView(active && `${id}-choice-${at}`)

  const type = (text: string | undefined) => {
    setAt(-1)
    onTyped(text)
  }
  const open = () => typed ?? type('')
  const move = (step: 1 | -1) => {
    const { length } = choices
    if (typed === undefined) type('')
    else if (length > 0) setAt(at < 0 && step < 0 ? length - 1 : (at + step + length) % length)
  }
  /** What Enter takes: the entry that the arrows chose, the one that was typed, or the only one. */
  const meant = active ?? (typed ? (choices.find(({ value }) => value === typed) ?? soleOf(choices)) : undefined)
  const enter = () => {
    if (meant !== undefined) onPick(meant)
    else move(1)
  }
  const press = (event: KeyboardEvent) => {
    const act = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      // The first Enter is about the list while one is open: it never sends a half-filled form.
      Enter: isOpen && (meant !== undefined || (typed !== '' && choices.length > 0)) ? enter : undefined,
      Escape: isOpen ? () => type(undefined) : undefined,
    }[event.key]
    if (act === undefined) return
    event.preventDefault()
    // The key closes nothing else.
    if (event.key === 'Escape') event.stopPropagation()
    act()
  }

  return (
    <div class="picker">
      <input
        {...input}
        ref={field}
        type="text"
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active && `${id}-choice-${at}`}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        onFocus={open}
        onClick={open}
        onBlur={() => type(undefined)}
        onKeyDown={press}
        onInput={(event) => {
          type(event.currentTarget.value)
          onText?.(event.currentTarget.value)
        }}
      />
      <div class="picker-list" hidden={!isOpen}>
        <ChoiceList {...{ id, label, choices, isChosen, isMany, draw, onPick, active }} />
        {note && (
          <p class="quiet small" role="status">
            {note}
          </p>
        )}
      </div>
    </div>
  )
}

const soleOf = <Choice,>(choices: readonly Choice[]): Choice | undefined =>
  choices.length === 1 ? choices[0] : undefined

interface ListProps<Choice>
  extends Pick<Props<Choice>, 'id' | 'label' | 'choices' | 'isChosen' | 'isMany' | 'draw' | 'onPick'> {
  readonly active: Choice | undefined
}

const ChoiceList = <Choice extends { readonly value: string }>({ id, active, ...props }: ListProps<Choice>) => (
  <div id={`${id}-list`} role="listbox" aria-label={props.label} aria-multiselectable={props.isMany}>
    {props.choices.map((choice, i) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and takes the keys
      <div
        key={choice.value}
        id={`${id}-choice-${i}`}
        role="option"
        tabIndex={-1}
        aria-selected={props.isChosen(choice)}
        class={choice === active ? 'active' : undefined}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => props.onPick(choice)}
      >
        {props.draw(choice)}
      </div>
    ))}
  </div>
)
