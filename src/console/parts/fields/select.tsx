// A choice of one among few: as a list to open, or as radio buttons.
import type { ComponentChildren, PartialSelectHTMLAttributes } from 'preact'

export type Choices<Value extends string = string> = readonly (readonly [value: Value, words: string])[]

interface SelectProps<Value extends string>
  extends Pick<PartialSelectHTMLAttributes<HTMLSelectElement>, 'id' | 'name' | 'disabled' | 'required'> {
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string | undefined
  readonly choices?: Choices<Value>
  /** Choices below headings, after the others. */
  readonly groups?: readonly { readonly words: string; readonly choices: Choices<Value> }[]
  readonly value: Value
  /** Without it, the choice is read from the form. */
  readonly onChoose?: (value: Value) => void
}

export function Select<Value extends string>({ choices, groups = [], value, onChoose, ...select }: SelectProps<Value>) {
  const options = (list: Choices<Value> = []) =>
    list.map(([one, words]) => (
      <option key={one} value={one} selected={one === value}>
        {words}
      </option>
    ))
  return (
    <select
      {...select}
      {...(onChoose && { value, onChange: ({ currentTarget }) => onChoose(currentTarget.value as Value) })}
    >
      {options(choices)}
      {groups.map((group) => (
        <optgroup key={group.words} label={group.words}>
          {options(group.choices)}
        </optgroup>
      ))}
    </select>
  )
}

interface RadiosProps<Value extends string> {
  readonly legend: string
  readonly isLegendHidden?: boolean
  readonly name: string
  readonly choices: readonly (readonly [value: Value, words: ComponentChildren])[]
  readonly value: Value | undefined
  /** Without it, the choice is read from the form. */
  readonly onChoose?: (value: Value) => void
}

export const Radios = <Value extends string>(props: RadiosProps<Value>) => (
  <fieldset class="choices">
    <legend class={props.isLegendHidden ? 'hidden' : undefined}>{props.legend}</legend>
    {props.choices.map(([one, words]) => (
      <label key={one}>
        <input
          type="radio"
          name={props.name}
          value={one}
          {...(props.onChoose
            ? { checked: props.value === one, onChange: () => props.onChoose?.(one) }
            : { defaultChecked: props.value === one })}
        />
        <span>{words}</span>
      </label>
    ))}
  </fieldset>
)
