// A text field that offers stored values. Typing narrows the choices; other texts are accepted too.
import { useState } from 'preact/hooks'
import { type Choice, choicesFor } from '../../records/choices.ts'
import { Combobox } from './combobox.tsx'

interface Props {
  readonly id: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly placeholder?: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
  /** Called with every text of the field. */
  readonly onValue: (value: string) => void
}

/** More are not drawn: the words narrow them. */
const shownMax = 50

export function Picker({ choices, onValue, ...input }: Props) {
  const [typed, setTyped] = useState<string>()
  const fitting = typed === undefined ? [] : choicesFor(choices, typed)
  const left = fitting.length - shownMax
  return (
    <Combobox
      {...input}
      label="Stored"
      typed={typed}
      onTyped={setTyped}
      choices={fitting.slice(0, shownMax)}
      isChosen={({ value }) => value === input.value}
      draw={({ value, words }) => (
        <>
          <bdi class="mono">{value}</bdi> <bdi class="quiet">{words}</bdi>
        </>
      )}
      note={left > 0 && `${left} more. Type to narrow them.`}
      onText={onValue}
      onPick={({ value }) => {
        onValue(value)
        setTyped(undefined)
      }}
    />
  )
}
