// What is typed in the search field, what it finds, and which of it is chosen.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchHit } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { foldWords } from '../../../contract/text/searched-text.ts'
import type { TitledPage } from '../../pages/frame/page.ts'
import { hitGroups } from '../../records/hits.ts'
import { go, hrefTo, useAddress } from '../../state/frame/address.ts'
import { useInView } from '../../state/frame/in-view.ts'
import { useLeave } from '../../state/frame/leave.ts'
import { keepFind, type RecentFind, recentFinds } from '../../state/frame/recent.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { useOffered } from './menus.tsx'

export const listId = 'search-all-list'

/** Milliseconds without a key before the service is asked. */
const pauseMs = 150
/** Maximum number of pages in the results. */
const pagesMax = 4
/** Maximum number of people and keys in the results. */
const peopleMax = 4

export interface Option extends RecentFind {
  readonly detail: ComponentChildren
  /** True for records that were found: they are remembered as recent. */
  readonly isKept?: boolean
}

/** One record can be found in several ways. */
export const keyOf = ({ kind, title, to }: Option): string => `${kind} ${title} ${to}`

export interface Group {
  readonly heading: string
  readonly options: readonly Option[]
}

interface Find {
  readonly text: string
  readonly isOpen: boolean
  /** The option that Enter goes to; the first one unless the arrows chose another. */
  readonly chosen?: string | undefined
  /** Enter was pressed before the answer was there: a scanner is quicker than it. */
  readonly isHasty?: boolean
}

const closed: Find = { text: '', isOpen: false }

const findOf = (text: string | null): Find => (text ? { text, isOpen: true } : closed)

export function useFinder(pages: readonly TitledPage[]) {
  const { own } = useOpenSession()
  const offered = useOffered(pages)
  const { query } = useAddress()
  // A resolved barcode leads here: what it names is looked up.
  const [find, setFind] = useState(() => findOf(new URLSearchParams(query).get('find')))
  const { text, isOpen, chosen, isHasty = false } = find
  const root = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const before = useRef<HTMLElement | null>(null)
  const wanted = text.trim()
  const search = useSearch(isOpen ? wanted : '')
  const people = usePeople(isOpen ? wanted : '')

  const groups = wanted === '' ? groupsAtRest(own.provider, offered) : groupsFor(wanted, offered, search.hits, people)
  const options = groups.flatMap((group) => group.options)
  const found = options.findIndex((option) => keyOf(option) === chosen)
  const at = Math.max(0, found)
  // Without a text nothing is meant yet, so that Enter goes nowhere by accident.
  const current = wanted === '' && chosen === undefined ? undefined : options[at]
  const idOf = (option: Option | undefined) => option && `${listId}-${options.indexOf(option)}`

  const close = () => setFind(closed)
  const open = () => setFind({ ...find, isOpen: true })
  const goTo = (option: Option, { inNewTab }: { readonly inNewTab: boolean }) => {
    if (option.isKept) keepFind(own.provider, { title: option.title, kind: option.kind, to: option.to })
    if (inNewTab) return void window.open(hrefTo(option.to), '_blank', 'noopener')
    close()
    field.current?.blur()
    go(option.to)
  }
  const move = (step: 1 | -1) => {
    if (!isOpen) return open()
    const from = current !== undefined ? at : step < 0 ? 0 : -1
    const next = options[(from + step + options.length) % options.length]
    setFind({ ...find, chosen: next && keyOf(next) })
  }
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: ({ ctrlKey, metaKey }) => {
      if (search.is === 'asking' && chosen === undefined) setFind({ ...find, isHasty: true })
      else if (current) goTo(current, { inNewTab: ctrlKey || metaKey })
    },
    Escape: () => {
      close()
      field.current?.blur()
      before.current?.focus({ preventScroll: true })
    },
  }
  useEffect(() => {
    if (!isHasty || search.is === 'asking') return
    setFind({ ...find, isHasty: false })
    const first = options.find(({ isKept }) => isKept) ?? options[0]
    if (first) goTo(first, { inNewTab: false })
  }, [isHasty, search.is])
  useInView(isOpen && chosen !== undefined ? idOf(current) : undefined)
  useLeave(root, isOpen, close)

  return {
    ...{ text, isOpen, groups, current, idOf, root, field },
    words: search.words,
    isListed: isOpen && options.length > 0,
    press: (event: KeyboardEvent) => {
      const act = keys[event.key]
      if (act === undefined) return
      event.preventDefault()
      act(event)
    },
    click: ({ target, ctrlKey, metaKey }: MouseEvent) => {
      const place = target instanceof Element ? target.closest('[role=option]') : null
      const option = options.find((one) => idOf(one) === place?.id)
      if (place !== null && option) goTo(option, { inNewTab: ctrlKey || metaKey })
    },
    type: (next: string) => setFind({ text: next, isOpen: true }),
    focus: (from: EventTarget | null) => {
      before.current = from instanceof HTMLElement ? from : null
      open()
    },
  }
}

interface Search {
  readonly is: 'idle' | 'asking' | 'answered'
  /** Of the last text that was answered: they stay until others are there. */
  readonly hits: readonly SearchHit[]
  /** The note below the results. */
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
      words: `No record found for “${wanted}”. Try another part of the number, or a word of the name.`,
    }
  const notes = [
    more.length > 0 && 'There is more. Type more of it to narrow the search.',
    damaged.length > 0 &&
      `${pluralize(damaged.length, 'record is', 'records are')} not shown, because the database is damaged. Tell the operator of the service.`,
    partial && 'Records that were stored a moment ago are found by the beginning of their numbers only.',
  ]
  return { is: 'answered', hits: content, words: notes.filter(Boolean).join(' ') }
}

/** People and keys that are named so: administrators may read them. */
function usePeople(wanted: string): readonly Option[] {
  const { api } = useOpenSession()
  const isAsked = useMay('administrator') && wanted !== ''
  const asked = useRequest(async (signal) => (isAsked ? (await api.listKeys({ signal })).body.content : []), [isAsked])
  if (asked.is !== 'answered') return []
  return asked.value
    .filter(({ personName, label, email, revokedDateTime }) => {
      const words = [personName, label, email].join(' ')
      return revokedDateTime === null && beginsWords(words, wanted)
    })
    .slice(0, peopleMax)
    .map(({ keyId, personName, label, email, role }) => ({
      title: personName ?? (label || keyId),
      kind: 'person',
      detail: email ?? role,
      to: `/keys?open=${keyId}`,
    }))
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

function groupsFor(
  text: string,
  pages: readonly TitledPage[],
  hits: readonly SearchHit[],
  people: readonly Option[],
): readonly Group[] {
  const found = hitGroups(hits).map(({ heading, finds }) => ({
    heading,
    options: finds.map((find): Option => ({ ...find, isKept: true })),
  }))
  const fitting = pages.filter((page) => isNamed(page, text)).slice(0, pagesMax)
  return [
    ...found,
    { heading: 'People and keys', options: people },
    { heading: 'Go to', options: fitting.map(pageOption) },
  ].filter(({ options }) => options.length > 0)
}

const isNamed = ({ title, group, keywords }: TitledPage, text: string): boolean =>
  beginsWords([title, group, keywords].join(' '), text)

/** True when each word of the text begins a word of the name; accents and signs may be left out. */
function beginsWords(name: string, text: string): boolean {
  const [names, parts] = [foldWords(name).split(' '), foldWords(text)]
  return parts !== '' && parts.split(' ').every((part) => names.some((word) => word.startsWith(part)))
}
