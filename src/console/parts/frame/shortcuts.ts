// The keys of every page. What a key presses carries it in `aria-keyshortcuts`, so that a page
// says itself what can be saved, and what comes before and after it.

import { say } from '../../state/frame/toasts.ts'
import { focusSearch } from './search-field.tsx'

/** On the button that saves what a page edits. */
export const saveKeys = 'Control+S Control+Enter'
/** On the links to the neighbours of a record. */
export const previousKeys = 'Alt+ArrowUp'
export const nextKeys = 'Alt+ArrowDown'

/** As the help lists them. */
export const shortcuts: readonly { readonly keys: readonly (readonly string[])[]; readonly words: string }[] = [
  { keys: [['/'], ['Ctrl', 'K']], words: 'Search records, or go to a page' },
  {
    keys: [
      ['Ctrl', 'S'],
      ['Ctrl', 'Enter'],
    ],
    words: 'Save what you are editing, from any field of it',
  },
  {
    keys: [
      ['Alt', '↓'],
      ['Alt', '↑'],
    ],
    words: 'Next and previous record of the list, or row of a table',
  },
  { keys: [['↓'], ['↑'], ['Enter']], words: 'In the table of product lines: next and previous line, and a new one' },
  { keys: [['?']], words: 'This help' },
  { keys: [['Esc']], words: 'Close what is open' },
]

export function takeShortcut(event: KeyboardEvent): void {
  const { key, altKey, shiftKey } = event
  const withControl = event.ctrlKey || event.metaKey
  if (event.isComposing) return
  if (withControl && !altKey && !shiftKey && (key.toLowerCase() === 's' || key === 'Enter')) {
    takeSave(event)
    return
  }
  if (document.querySelector('dialog[open]') !== null) return
  if (withControl && !altKey && !shiftKey && key === 'k') take(event, focusSearch)
  if (withControl) return
  const isInField = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null
  if (isInField) return
  if (altKey && !shiftKey && (key === 'ArrowDown' || key === 'ArrowUp'))
    take(event, () => step(key === 'ArrowDown' ? 1 : -1))
  if (altKey) return
  if (key === '?') take(event, () => document.querySelector<HTMLDialogElement>('dialog.help')?.showModal())
  if (key === '/') take(event, focusSearch)
}

function take(event: KeyboardEvent, work: () => void): void {
  event.preventDefault()
  work()
}

/** The button that saves: of the open dialog or the form with the focus, else of the page. */
function saveButton(): HTMLButtonElement | null {
  const dialogs = document.querySelectorAll('dialog[open]')
  const scope = dialogs[dialogs.length - 1] ?? document.activeElement?.closest('form')
  const own = scope?.querySelector<HTMLButtonElement>('button.main:not([type="button"])') ?? null
  if (own !== null || scope instanceof HTMLDialogElement) return own
  return document.querySelector<HTMLButtonElement>('[aria-keyshortcuts~="Control+S"]')
}

/** How long a press waits for the check of what was typed last, in milliseconds. */
const checkedWithinMs = 3_000
const lookEveryMs = 50

function takeSave(event: KeyboardEvent): void {
  const button = saveButton()
  if (button === null) {
    // The dialogue of the browser would save the page, which is of no use.
    if (event.key !== 'Enter') event.preventDefault()
    return
  }
  event.preventDefault()
  // A field takes its value when it is left.
  const { activeElement } = document
  if (activeElement instanceof HTMLInputElement && activeElement.isConnected) {
    activeElement.blur()
    activeElement.focus({ preventScroll: true })
  }
  const until = performance.now() + checkedWithinMs
  const press = () => {
    if (!button.isConnected) return
    if (!button.disabled) return button.click()
    if (performance.now() < until) setTimeout(press, lookEveryMs)
    else say('Not saved: nothing is changed yet, or the check on this page says what is missing.', 'failed')
  }
  requestAnimationFrame(press)
}

/** To the neighbour of the record that is shown; in a table, to the row below or above. */
function step(by: 1 | -1): void {
  const link = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${by === 1 ? nextKeys : previousKeys}"]`)
  if (link !== null) {
    link.click()
    return
  }
  const here = document.activeElement?.closest('main tbody tr')
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')].filter((row) => wayIn(row) !== null)
  const at = rows.indexOf(here as HTMLElement)
  const next = rows[at < 0 ? 0 : at + by]
  if (next !== undefined) wayIn(next)?.focus()
}

const wayIn = (row: HTMLElement): HTMLElement | null => row.querySelector<HTMLElement>('a[href], button:not(:disabled)')
