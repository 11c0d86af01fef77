// The search field of every page: it finds records by any of their identifiers, and pages. A
// combobox with a list, following ARIA: the focus stays in the field, the arrows select.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchHit } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { TitledPage } from '../../pages/frame/page.ts'
import { hitGroups } from '../../records/hits.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { keepFind, type RecentFind, recentFinds } from '../../state/frame/recent.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { useOffered } from './menus.tsx'

const fieldId = 'search-all'
const listId = 'search-all-list'

/** Milliseconds without a key before the service is asked. */
const pauseMs = 150
/** Most pages beside what was found. */
const pagesMax = 4

export function focusSearch(): void {
  const field = document.getElementById(fieldId)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}

interface Option extends RecentFind {
  readonly detail: ComponentChildren
  /** True of what was found, which is worth going to again. */
  readonly isKept?: boolean
}

/** One record can be found in several ways. */
const keyOf = ({ kind, title, to }: Option): string => `${kind} ${title} ${to}`

interface Group {
  readonly heading: string
  readonly options: readonly Option[]
}

interface Props {
  readonly pages: readonly TitledPage[]
}

export function SearchField({ pages }: Props) {
  const finder = useFinder(pages)
  const { text, open, groups, current, idOf, isListed } = finder
  return (
    <search
      ref={finder.root}
      class="search-all"
      data-open={open ? '' : undefined}
      onMouseDown={keepFocus}
      onClick={finder.clicked}
      onKeyDown={finder.pressed}
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
        onInput={({ currentTarget }) => finder.typed(currentTarget.value)}
        onFocus={({ relatedTarget }) => finder.focused(relatedTarget)}
      />
      <span class="key">/</span>
      {open && (
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

/** What is typed, what it finds, and which of it is chosen. */
function useFinder(pages: readonly TitledPage[]) {
  const { own } = useOpenSession()
  const offered = useOffered(pages)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  /** The option that Enter goes to; the first one unless the arrows chose another. */
  const [chosen, setChosen] = useState<string>()
  /** Enter was pressed before the answer was there: a scanner is quicker than it. */
  const [isHasty, setHasty] = useState(false)
  const root = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const before = useRef<HTMLElement | null>(null)
  const wanted = text.trim()
  const search = useSearch(open ? wanted : '')

  const groups = wanted === '' ? groupsAtRest(own.provider, offered) : groupsFor(wanted, offered, search.hits)
  const options = groups.flatMap((group) => group.options)
  const at = Math.max(
    0,
    options.findIndex((option) => keyOf(option) === chosen),
  )
  // Without a text nothing is meant yet, so that Enter goes nowhere by accident.
  const current = wanted === '' && chosen === undefined ? undefined : options[at]
  const idOf = (option: Option | undefined) => option && `${listId}-${options.indexOf(option)}`

  const close = () => {
    setOpen(false)
    setText('')
    setChosen(undefined)
    setHasty(false)
  }
  const goTo = (option: Option, inNewTab: boolean) => {
    if (option.isKept) keepFind(own.provider, { title: option.title, kind: option.kind, to: option.to })
    if (inNewTab) return void window.open(hrefTo(option.to), '_blank', 'noopener')
    close()
    field.current?.blur()
    go(option.to)
  }
  const choose = (index: number) => {
    const next = options[(index + options.length) % options.length]
    setChosen(next && keyOf(next))
  }

  const pressed = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!open) return setOpen(true)
      choose(current === undefined ? (key === 'ArrowDown' ? 0 : -1) : at + (key === 'ArrowDown' ? 1 : -1))
    }
    if (key === 'Enter') {
      event.preventDefault()
      if (search.is === 'asking' && chosen === undefined) setHasty(true)
      else if (current) goTo(current, event.ctrlKey || event.metaKey)
    }
    if (key === 'Escape') {
      event.preventDefault()
      close()
      field.current?.blur()
      before.current?.focus({ preventScroll: true })
    }
  }

  const clicked = ({ target, ctrlKey, metaKey }: MouseEvent) => {
    const place = target instanceof Element ? target.closest('[role=option]') : null
    const option = options.find((one) => idOf(one) === place?.id)
    if (place !== null && option) goTo(option, ctrlKey || metaKey)
  }

  useEffect(() => {
    if (!isHasty || search.is === 'asking') return
    setHasty(false)
    const first = options.find(({ isKept }) => isKept) ?? options[0]
    if (first) goTo(first, false)
  }, [isHasty, search.is])

  useLeft(root, open, close)

  useEffect(() => {
    if (open && chosen !== undefined) document.getElementById(idOf(current) ?? '')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  return {
    text,
    open,
    groups,
    current,
    idOf,
    words: search.words,
    isListed: open && options.length > 0,
    root,
    field,
    pressed,
    clicked,
    typed: (next: string) => {
      setText(next)
      setChosen(undefined)
      setHasty(false)
      setOpen(true)
    },
    focused: (from: EventTarget | null) => {
      before.current = from instanceof HTMLElement ? from : null
      setOpen(true)
    },
  }
}

/** Closes it when something else is pressed or gets the focus. */
function useLeft(root: { readonly current: HTMLElement | null }, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return
    const leave = (event: Event) => {
      if (!(event.target instanceof Node && root.current?.contains(event.target))) close()
    }
    for (const kind of ['pointerdown', 'focusin']) addEventListener(kind, leave)
    return () => {
      for (const kind of ['pointerdown', 'focusin']) removeEventListener(kind, leave)
    }
  }, [open])
}

/** Whatever is clicked beside it, the focus stays in the field. */
function keepFocus(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
}

interface Search {
  readonly is: 'idle' | 'asking' | 'answered'
  /** Of the last text that was answered: they stay until others are there. */
  readonly hits: readonly SearchHit[]
  /** What is said below them. */
  readonly words: string
}

function useSearch(wanted: string): Search {
  const { api } = useOpenSession()
  const last = useRef<readonly SearchHit[]>([])
  const asked = useRequest(
    async (signal) => {
      if (wanted === '') return undefined
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      return (await api.search({ text: wanted, signal })).body
    },
    [wanted],
  )
  if (wanted === '') {
    last.current = []
    return { is: 'idle', hits: [], words: '' }
  }
  if (asked.is === 'asking') return { is: 'asking', hits: last.current, words: '' }
  if (asked.is === 'failed') {
    last.current = []
    return { is: 'answered', hits: [], words: failureSentence(asked.error) }
  }
  const { content = [], more = [], partial = false, damaged = [] } = asked.value ?? {}
  last.current = content
  if (content.length === 0 && damaged.length === 0)
    return {
      is: 'answered',
      hits: [],
      words: `No record found for “${wanted}”. Codes and numbers are found by how they begin, locations also by a part of their name.`,
    }
  const notes = [
    more.length > 0 && 'There is more. Type more of it to narrow the search.',
    damaged.length > 0 &&
      `${pluralize(damaged.length, 'record is', 'records are')} not shown, because the database is damaged. Tell the operator of the service.`,
    partial && 'Only the newest master data was searched for names, GTINs and GLNs.',
  ]
  return { is: 'answered', hits: content, words: notes.filter(Boolean).join(' ') }
}

const pageOption = ({ path, title, group }: TitledPage): Option => ({
  title,
  kind: 'page',
  detail: group ?? (path.endsWith('/new') ? 'Create' : ''),
  to: path,
})

/** What to go to when nothing is typed yet. */
const groupsAtRest = (provider: string, pages: readonly TitledPage[]): readonly Group[] =>
  [
    {
      heading: 'Recent',
      options: recentFinds(provider).map((find) => ({ ...find, detail: find.kind, isKept: true })),
    },
    { heading: 'Go to', options: pages.map(pageOption) },
  ].filter(({ options }) => options.length > 0)

function groupsFor(text: string, pages: readonly TitledPage[], hits: readonly SearchHit[]): readonly Group[] {
  const found = hitGroups(hits).map(({ heading, finds }) => ({
    heading,
    options: finds.map((find): Option => ({ ...find, isKept: true })),
  }))
  const fitting = pages.filter((page) => isNamed(page, text)).slice(0, pagesMax)
  return [...found, { heading: 'Go to', options: fitting.map(pageOption) }].filter(({ options }) => options.length > 0)
}

/** True when each word of the text begins a word of the page. */
function isNamed({ title, group, keywords }: TitledPage, text: string): boolean {
  const words = [title, group, keywords].join(' ').toLowerCase().split(/\s+/)
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
