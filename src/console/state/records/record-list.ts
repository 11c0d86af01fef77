// The pages of a list that were fetched so far. Going back shows them as they were.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../../../client/call.ts'
import type { AnyRecord } from '../../../client/client.ts'
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

interface Remembered extends Page<AnyRecord> {
  readonly key: string
  scrollY: number
}

const remembered = new Map<string, Remembered>()

interface RecordList extends Paged<AnyRecord> {
  /** Fetches the rest, up to the number that is printed. False if it failed. */
  readonly fetchForPrint: () => Promise<boolean>
}

export function useRecordList({ api, key }: Session, section: RecordSection, view: TableView): RecordList {
  const { by } = useAddress()
  // Other columns and heights show the same records.
  const name = section.path + viewQuery({ ...view, columns: usualView(section).columns, rows: undefined }, section)
  const chosen = { ...askOf(view.filters, section.filters), ...askedOrder(view) }
  const [later, setLater] = useState<(Page<AnyRecord> & { readonly of: string }) | undefined>(() => {
    const known = remembered.get(name)
    return by === 'history' && known?.key === key ? { ...known, of: name } : undefined
  })
  const [fetching, setFetching] = useState(false)
  const [moreError, setMoreError] = useState<unknown>()

  const asked = useRequest<Page<AnyRecord>>(
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
  const before = useRef<Page<AnyRecord>>(undefined)
  if (shown !== undefined) before.current = shown
  const stale = asked.is === 'asking' ? before.current : undefined

  useRemembering({ name, key, shown, path: section.path })

  /** Fetches pages until there are so many rows. False if it failed. */
  const fetchUntil = async (rows: number): Promise<boolean> => {
    if (shown === undefined) return false
    setFetching(true)
    setMoreError(undefined)
    try {
      let { content, nextCursor, damaged = [] } = shown
      while (nextCursor !== null && content.length < rows) {
        const { body } = await api.of(section.kind.name).list({ ...chosen, limit: nextLimit, cursor: nextCursor })
        content = [...content, ...body.content]
        damaged = [...damaged, ...(body.damaged ?? [])]
        nextCursor = body.nextCursor
      }
      setLater({ content, nextCursor, damaged, of: name })
      return true
    } catch (error) {
      setMoreError(error)
      return false
    } finally {
      setFetching(false)
    }
  }
  const fetchMore = () => void fetchUntil((shown?.content.length ?? 0) + 1)

  return {
    asked:
      (shown ?? stale) !== undefined
        ? { is: 'answered', value: (shown ?? stale) as Page<AnyRecord>, again: asked.again }
        : asked,
    isStale: shown === undefined && stale !== undefined,
    more: shown?.nextCursor && !fetching ? fetchMore : undefined,
    fetchingMore: fetching,
    moreError,
    fetchForPrint: () => fetchUntil(printedRowsMax),
  }
}

interface ShownList {
  readonly name: string
  /** Of the session. */
  readonly key: string
  readonly shown: Page<AnyRecord> | undefined
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
    const { content, nextCursor, damaged = [] } = shown
    remembered.set(name, { content, nextCursor, damaged, key, scrollY: before?.scrollY ?? 0 })
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
