// A text field that offers stored values. Typing narrows the choices; other texts are accepted too.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Choice, choicesFor } from '../../records/choices.ts'

interface Props {
  readonly id: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly placeholder?: string | undefined
  readonly describedBy?: string | undefined
  readonly invalid: boolean
  /** Every text that stands in the field. */
  readonly onValue: (value: string) => void
}

/** More are not drawn: the words narrow them. */
const shownMax = 50

export function Picker({ id, value, choices, placeholder, describedBy, invalid, onValue }: Props) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** Undefined until the person types: then every choice is shown, the selected one too. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(-1)
  const fitting = isOpen ? choicesFor(choices, typed ?? '') : []
  const shown = fitting.slice(0, shownMax)
  const isShown = isOpen && shown.length > 0

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const open = () => {
    setTyped(undefined)
    setActive(-1)
    setOpen(true)
  }
  const pick = (choice: Choice) => {
    onValue(choice.value)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const step = key === 'ArrowDown' ? 1 : -1
      return setActive((before) => Math.max(0, Math.min(shown.length - 1, before + step)))
    }
    const choice = shown[active]
    if (key === 'Enter' && isShown && choice !== undefined) {
      event.preventDefault()
      return pick(choice)
    }
    if (key === 'Escape' && isOpen) {
      event.preventDefault()
      // The key closes nothing else.
      event.stopPropagation()
      setOpen(false)
    }
  }

  return (
    <div class="picker">
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        onFocus={open}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setActive(-1)
          setOpen(true)
          onValue(currentTarget.value)
        }}
      />
      <div
        id={listId}
        ref={list}
        role="listbox"
        aria-label="Stored"
        class="picker-list"
        tabIndex={-1}
        hidden={!isShown}
      >
        {shown.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and takes the keys
          <div
            key={choice.value}
            id={`${listId}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={choice.value === value}
            class={i === active ? 'active' : undefined}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(choice)}
          >
            <bdi class="mono">{choice.value}</bdi> <bdi class="quiet">{choice.words}</bdi>
          </div>
        ))}
      </div>
      {isShown && fitting.length > shown.length && (
        <p class="quiet small">{fitting.length - shown.length} more. Type to narrow them.</p>
      )}
    </div>
  )
}
