// The search field of every page: it finds records by any of their identifiers, and pages. A
// combobox with a list, following ARIA: the focus stays in the field, the arrows select.
import type { TitledPage } from '../../pages/frame/page.ts'
import { type Group, keyOf, listId, type Option, useFinder } from './finder.ts'

const fieldId = 'search-all'

export function focusSearch(): void {
  const field = document.getElementById(fieldId)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}

interface Props {
  readonly pages: readonly TitledPage[]
}

export function SearchField({ pages }: Props) {
  const finder = useFinder(pages)
  const { text, isOpen, groups, current, idOf, isListed } = finder
  return (
    <search
      ref={finder.root}
      class="search-all"
      data-open={isOpen ? '' : undefined}
      onMouseDown={keepFocus}
      onClick={finder.click}
      onKeyDown={finder.press}
    >
      <label class="hidden" for={fieldId}>
        Search or go to
      </label>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="m10.5 10.5 3.5 3.5" />
      </svg>
      <input
        id={fieldId}
        ref={finder.field}
        type="text"
        role="combobox"
        aria-expanded={isListed}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isListed ? idOf(current) : undefined}
        aria-keyshortcuts="/ Control+K"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={100}
        placeholder="Search or go to…"
        value={text}
        onInput={({ currentTarget }) => finder.type(currentTarget.value)}
        onFocus={({ relatedTarget }) => finder.focus(relatedTarget)}
      />
      <span class="key">/</span>
      {isOpen && (
        <div class="search-panel">
          {isListed && <Results groups={groups} current={current} idOf={idOf} />}
          <p role="status" class="search-note">
            {finder.words}
          </p>
          <p class="search-keys small" aria-hidden="true">
            <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> close
          </p>
        </div>
      )}
    </search>
  )
}

interface ResultsProps {
  readonly groups: readonly Group[]
  readonly current: Option | undefined
  readonly idOf: (option: Option) => string | undefined
}

const Results = ({ groups, current, idOf }: ResultsProps) => (
  <div id={listId} role="listbox" aria-label="Results">
    {groups.map(({ heading, options }) => (
      // biome-ignore lint/a11y/useSemanticElements: a list of options has no fieldset
      <div key={heading} role="group" aria-label={heading}>
        <div class="search-group" role="presentation">
          {heading}
        </div>
        {options.map((option) => (
          <div key={keyOf(option)} id={idOf(option)} role="option" aria-selected={option === current} tabIndex={-1}>
            <bdi>{option.title}</bdi> <span class="quiet small">{option.detail}</span>
          </div>
        ))}
      </div>
    ))}
  </div>
)

/** Keeps the focus in the field when something beside it is clicked. */
function keepFocus(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
}
