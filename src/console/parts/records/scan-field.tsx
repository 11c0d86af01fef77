// A field for a scanner, which types its text and ends with Enter or Tab. The field is then free
// for the next label.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readScan } from '../../../contract/lots/gs1-label.ts'

interface Props {
  readonly label: string
  readonly hint: string
  /** False when it could not be used: then it stays in the field. */
  readonly onScan: (text: string) => boolean
  /** Enter in the empty field. */
  readonly onEmpty?: () => void
  /**
   * Label of a button that does the same as Enter. Where there is one, a scan belongs here wherever
   * the focus is.
   */
  readonly button?: string
  /** Beside the field. */
  readonly children?: ComponentChildren
}

/** FNC1 between two elements: scanners send it as Ctrl+], for which browsers type nothing. */
const separator = '\u001d'

export function ScanField({ label, hint, onScan, onEmpty, button, children }: Props) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // With the field: an effect would run after the next paint, and lose what is scanned until then.
  useLayoutEffect(() => {
    if (button === undefined) return
    // The key is then typed into the field that has the focus.
    const takeKey = ({ key, target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent) => {
      if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey || defaultPrevented) return
      if (document.querySelector('dialog[open]') !== null) return
      if (target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')) return
      field.current?.focus()
    }
    addEventListener('keydown', takeKey)
    return () => removeEventListener('keydown', takeKey)
  }, [button])

  const take = () => {
    if (text.trim() === '') return onEmpty?.()
    if (onScan(text)) setText('')
    else field.current?.select()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey } = event
    if (ctrlKey && key === ']') {
      event.preventDefault()
      setText(text + separator)
    } else if (key === 'Enter' ? text.trim() !== '' || onEmpty : key === 'Tab' && readScan(text) !== undefined) {
      event.preventDefault()
      take()
    }
  }
  return (
    <div class="scan">
      <label for="scan">{label}</label>
      <div class="with-button">
        <input
          id="scan"
          ref={field}
          type="text"
          value={text}
          placeholder="(01)10614141000415(10)GV26063-A"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="done"
          dir="ltr"
          aria-describedby="scan-meaning"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {button && (
          <button type="button" onClick={take}>
            {button}
          </button>
        )}
        {children}
      </div>
      <p id="scan-meaning" class="quiet small">
        {hint}
      </p>
    </div>
  )
}
