// The pages of a list that were fetched so far. Going back shows them as they were.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Page } from '../../../client/call.ts'
import type { AnyRecord } from '../../../client/client.ts'
import type { SeverityCounts } from '../../../contract/shape/finding.ts'
import { askOf } from '../../records/filters.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { askedOrder, type TableView, usualView, viewQuery } from '../../records/table-view.ts'
import { hrefTo, useAddress } from '../frame/address.ts'
import type { Paged } from '../frame/paged.ts'
import { useRequest } from '../frame/request.ts'
import type { Session } from '../frame/session.ts'

/** The first page is small, so that it appears fast. */
const firstLimit = 50
const nextLimit = 200
/** Rows that are printed; a longer list is saved as a file. */
export const printedRowsMax = 2_000

/** Lists kept for going back. */
const rememberedMax = 8

/** Pages of a list in one. Each was judged when it was fetched. */
interface Pages extends Page<AnyRecord> {
  readonly judgedUntil?: string | undefined
}

interface Remembered extends Pages {
  readonly key: string
  scrollY: number
}

const remembered = new Map<string, Remembered>()

/** Current findings of the rows, and when the first and the last of them were judged. */
export interface JudgedRows {
  readonly from: string
  readonly to: string
  readonly findings: ReadonlyMap<string, SeverityCounts>
}

interface RecordList extends Paged<AnyRecord> {
  /** Undefined where no column shows findings. */
  readonly judged: JudgedRows | undefined
  /** Fetches the rest, up to the number that is printed. Undefined if it failed. */
  readonly fetchForPrint: () => Promise<readonly AnyRecord[] | undefined>
  /** Differs where other records are listed. */
  readonly name: string
  /** Asks for the list again, from its beginning. */
  readonly again: () => void
}

/** The records before and after one in the list that was shown last and has it. */
export function neighboursIn({ path }: RecordSection, id: string, { key }: Pick<Session, 'key'>) {
  const lists = [...remembered].filter(([name, list]) => list.key === key && name.split(/[? ]/)[0] === path)
  for (const [, { content }] of lists.reverse()) {
    const at = content.findIndex((record) => record.id === id)
    if (at >= 0) return { previous: content[at - 1], next: content[at + 1] }
  }
  return {}
}

export function useRecordList({ api, key }: Session, section: RecordSection, view: TableView): RecordList {
  const { by } = useAddress()
  const isJudged = view.columns.includes('findings')
  // Other columns and heights show the same records.
  const listed = viewQuery({ ...view, columns: usualView(section).columns, rows: undefined }, section)
  const name = `${section.path}${listed}${isJudged ? ' judged' : ''}`
  const chosen = {
    ...askOf(view.filters, section.filters),
    ...askedOrder(view),
    ...(isJudged && { judged: 'now' as const }),
  }
  const [later, setLater] = useState<(Pages & { readonly of: string }) | undefined>(() => {
    const known = remembered.get(name)
    return by === 'history' && known?.key === key ? { ...known, of: name } : undefined
  })
  const [fetching, setFetching] = useState(false)
  const [moreError, setMoreError] = useState<unknown>()

  const asked = useRequest<Pages>(
    async (signal) => {
      const known = remembered.get(name)
      if (by === 'history' && known?.key === key) return known
      setLater(undefined)
      return (await api.of(section.kind.name).list({ ...chosen, limit: firstLimit, signal })).body
    },
    [name],
  )
  const shown = later?.of === name ? later : asked.is === 'answered' ? asked.value : undefined
  // Shown until the rows of another order or filter arrive: the focus stays where it is.
  const before = useRef<Pages>(undefined)
  if (shown !== undefined) before.current = shown
  const stale = asked.is === 'asking' ? before.current : undefined

  useRemembering({ name, key, shown, path: section.path })

  /** Fetches pages until there are so many rows. Undefined if it failed. */
  const fetchUntil = async (rows: number): Promise<readonly AnyRecord[] | undefined> => {
    if (shown === undefined) return undefined
    setFetching(true)
    setMoreError(undefined)
    try {
      let pages = shown
      while (pages.nextCursor !== null && pages.content.length < rows) {
        const { list } = api.of(section.kind.name)
        pages = joinPages(pages, (await list({ ...chosen, limit: nextLimit, cursor: pages.nextCursor })).body)
      }
      setLater({ ...pages, of: name })
      return pages.content
    } catch (error) {
      setMoreError(error)
      return undefined
    } finally {
      setFetching(false)
    }
  }
  const { judged, judgedUntil } = shown ?? stale ?? {}
  const judgedRows = useMemo(
    () =>
      judged && {
        from: judged.judgedDateTime,
        to: judgedUntil ?? judged.judgedDateTime,
        findings: new Map(judged.records.map(({ id, severities }) => [id, severities])),
      },
    [judged],
  )
  const fetchMore = () => void fetchUntil((shown?.content.length ?? 0) + 1)

  return {
    judged: judgedRows,
    asked:
      (shown ?? stale) !== undefined ? { is: 'answered', value: (shown ?? stale) as Pages, again: asked.again } : asked,
    isStale: shown === undefined && stale !== undefined,
    more: shown?.nextCursor && !fetching ? fetchMore : undefined,
    fetchingMore: fetching,
    moreError,
    fetchForPrint: () => fetchUntil(printedRowsMax),
    name,
    again: () => {
      remembered.delete(name)
      asked.again()
    },
  }
}

const joinPages = (before: Pages, { content, nextCursor, damaged = [], judged }: Page<AnyRecord>): Pages => ({
  content: [...before.content, ...content],
  damaged: [...(before.damaged ?? []), ...damaged],
  nextCursor,
  ...(before.judged &&
    judged && {
      judged: { ...before.judged, records: [...before.judged.records, ...judged.records] },
      judgedUntil: judged.judgedDateTime,
    }),
})

interface ShownList {
  readonly name: string
  /** Of the session. */
  readonly key: string
  readonly shown: Pages | undefined
  readonly path: string
}

/** Keeps a list and its place on the page, for going back. */
function useRemembering({ name, key, shown, path }: ShownList): void {
  const { by } = useAddress()
  useEffect(() => {
    if (shown === undefined) return
    const before = remembered.get(name)
    remembered.delete(name)
    const [oldest] = remembered.keys()
    if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
    remembered.set(name, { ...shown, key, scrollY: before?.scrollY ?? 0 })
    if (before !== undefined && by === 'history') scrollTo(0, before.scrollY)
  }, [shown])

  // Only of the list itself: the placeholder is shorter.
  const isShown = shown !== undefined
  useEffect(() => {
    if (!isShown) return
    const noted = () => {
      const list = remembered.get(name)
      // The next page may scroll before this one has removed its listener.
      if (list !== undefined && location.pathname === hrefTo(path)) list.scrollY = scrollY
    }
    addEventListener('scroll', noted, { passive: true })
    return () => removeEventListener('scroll', noted)
  }, [name, isShown])
}
