// Below a list: how much of it is shown, and the way to the rest.

import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Paged } from '../../state/frame/paged.ts'
import { DamageNote } from '../frame/damage-note.tsx'
import { Failure } from '../frame/states.tsx'

interface Props {
  readonly paged: Paged<unknown>
  readonly noun: string
  readonly nouns?: string
  /** How they are ordered, as it follows "loaded". */
  readonly ordered?: string
  readonly newestFirst?: boolean | undefined
  /** On paper: how to get the rest. */
  readonly printHint?: string
}

export function ListEnd({
  paged: { asked, more, fetchingMore, moreError },
  noun,
  nouns = `${noun}s`,
  newestFirst = false,
  printHint,
  ordered = newestFirst ? 'newest first' : '',
}: Props) {
  if (asked.is !== 'answered') return null
  const { content, nextCursor, damaged = [] } = asked.value
  return (
    <>
      <DamageNote damaged={damaged} noun="entry" nouns="entries" />
      <p class="list-end">
        <span class="quiet" role="status">
          {pluralize(content.length, noun, nouns)}
          {nextCursor === null ? '' : ` loaded${ordered && `, ${ordered}`}`}
        </span>
        {nextCursor !== null && <span class="on-paper">This is not the whole list. {printHint}</span>}
        {nextCursor !== null && (
          <button type="button" onClick={more} disabled={more === undefined}>
            {fetchingMore ? 'Loading…' : 'Load more'}
          </button>
        )}
      </p>
      {moreError !== undefined && <Failure error={moreError} again={more} />}
    </>
  )
}
