// A field of a form: its label, its value, and a hint.
import type { InputHTMLAttributes } from 'preact'

/** An input that is written into, of text or one of these types. */
type Input = InputHTMLAttributes<HTMLInputElement> & { readonly type?: 'email' | 'number' | 'url' }

export type TextFieldProps = Input & {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly isWide?: boolean
}

export const TextField = ({ id, label, hint, isWide = false, ...input }: TextFieldProps) => (
  <div class={isWide ? 'form-field wide-field' : 'form-field'}>
    <label for={id}>{label}</label>
    <input
      id={id}
      autocomplete="off"
      dir="auto"
      {...input}
      {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
    />
    {hint !== undefined && (
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
    )}
  </div>
)
