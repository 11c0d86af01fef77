// A list of the service, page after page.
import { useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { type RequestState, useRequest } from './request.ts'
import { useOpenSession } from './session.ts'

interface Page<Entry> {
  readonly content: readonly Entry[]
  readonly nextCursor: string | null
  /** Entries that the database of the service lost. */
  readonly damaged?: readonly { readonly id: string; readonly version: number }[]
}

/** `Besides` are fields of a page besides its entries. Those of the first page count. */
export interface Paged<Entry, Besides = unknown> {
  readonly asked: RequestState<Page<Entry> & Besides>
  /** Fetches the next page; undefined when there is none, or while it is under way. */
  readonly more: (() => void) | undefined
  readonly fetchingMore: boolean
  readonly moreError: unknown
  /** True while it shows the earlier answer. */
  readonly isStale?: boolean
}

interface PageOptions {
  readonly cursor?: string
  readonly signal?: AbortSignal
}

/** Asks the service for the first page, and for more on demand. */
export function usePaged<Entry, Besides>(
  ask: (api: Client, options: PageOptions) => Promise<{ readonly body: Page<Entry> & Besides }>,
  about: readonly unknown[] = [],
): Paged<Entry, Besides> {
  const { api } = useOpenSession()
  return usePages(async (options) => (await ask(api, options)).body, about)
}

/** Requests the first page when it is first drawn and when `about` changes, and more on demand. */
export function usePages<Entry, Besides>(
  ask: (options: PageOptions) => Promise<Page<Entry> & Besides>,
  about: readonly unknown[],
): Paged<Entry, Besides> {
  const asked = useRequest((signal) => ask({ signal }), about)
  const first = asked.is === 'answered' ? asked.value : undefined
  const [later, setLater] = useState<Page<Entry> & Besides & { readonly after: Page<Entry> }>()
  const [fetchingMore, setFetching] = useState(false)
  const [moreError, setMoreError] = useState<unknown>()
  const shown = later !== undefined && later.after === first ? later : first

  const fetchMore = async (after: Page<Entry> & Besides, cursor: string) => {
    setFetching(true)
    setMoreError(undefined)
    try {
      const { content, nextCursor, damaged = [] } = await ask({ cursor })
      setLater({
        ...after,
        content: [...(shown?.content ?? []), ...content],
        damaged: [...(shown?.damaged ?? []), ...damaged],
        nextCursor,
        after,
      })
    } catch (error) {
      setMoreError(error)
    }
    setFetching(false)
  }

  return {
    asked: shown !== undefined ? { is: 'answered', value: shown, again: asked.again } : asked,
    more:
      first !== undefined && shown?.nextCursor && !fetchingMore
        ? () => void fetchMore(first, shown.nextCursor as string)
        : undefined,
    fetchingMore,
    moreError,
  }
}
