// The newest changes of records, and those that arrive while the page is open.
import { useEffect, useState } from 'preact/hooks'
import type { Change, ChangeList } from '../../../client/generated/shapes.ts'
import type { Filters } from '../../records/filters.ts'
import { useAway, useReturns } from './connection.ts'
import { type RequestState, useRequest } from './request.ts'
import { patientClient, useOpenSession } from './session.ts'

/** Changes that a page keeps. */
const keptMax = 200

export interface LiveChanges {
  /** The first load; newest first. */
  readonly asked: RequestState<readonly Change[]>
  readonly isPaused: boolean
  readonly setPaused: (paused: boolean) => void
  /** Versions of changes that the database of the service lost. */
  readonly damaged: NonNullable<ChangeList['damaged']>
  /** How many of them arrived while the page was open. */
  readonly fresh: number
  /** How many arrived since the page was paused. */
  readonly waiting: number
  /** True while the service is unreachable; the page keeps trying. */
  readonly isLost: boolean
  /** Why no more changes come. */
  readonly error: unknown
}

interface Received {
  /** The first load that this continues. */
  readonly first: ChangeList
  /** Newest first. */
  readonly changes: readonly Change[]
  /** How many arrived since the first load. */
  readonly count: number
  readonly position: string
  readonly damaged: LiveChanges['damaged']
}

const begun = (first: ChangeList): Received => ({
  first,
  changes: first.content.toReversed(),
  count: 0,
  position: first.nextPosition,
  damaged: first.damaged ?? [],
})

const extend = (
  { first, changes, count, damaged }: Received,
  { content, nextPosition, damaged: more = [] }: ChangeList,
): Received => ({
  first,
  changes: [...content.toReversed(), ...changes].slice(0, keptMax),
  count: count + content.length,
  position: nextPosition,
  damaged: [...damaged, ...more].slice(-keptMax),
})

export function useLiveChanges(filters: Filters): LiveChanges {
  const { api } = useOpenSession()
  const [isAway, returns] = [useAway(), useReturns()]
  const isVisible = useVisible()
  const [later, setLater] = useState<Received>()
  const [paused, setPaused] = useState<Received>()
  const [isLost, setLost] = useState(false)
  const [error, setError] = useState<unknown>()
  const asked = useRequest(
    async (signal) => {
      const { body: now } = await api.readNewestPosition({ back: keptMax, signal })
      return (await api.listChanges({ ...filters, after: now.position, limit: keptMax, signal })).body
    },
    [filters],
  )
  const first = asked.is === 'answered' ? asked.value : undefined
  const received = first && (later?.first === first ? later : begun(first))
  const held = paused?.first === first ? paused : undefined

  // A hidden page does not listen. It continues where it was when it is visible again, and at once
  // when the service is back.
  useEffect(() => {
    if (received === undefined || !isVisible) return
    const { first, position } = received
    const giveUp = new AbortController()
    const { signal } = giveUp
    setLost(false)
    setError(undefined)
    const follow = async () => {
      const patient = patientClient(() => setLost(true))
      for await (const page of patient.changePages({ ...filters, after: position, signal })) {
        setLost(false)
        setLater((before) => extend(before?.first === first ? before : begun(first), page))
      }
    }
    follow().catch((why: unknown) => signal.aborted || setError(why))
    return () => giveUp.abort()
  }, [first, isVisible, returns])

  return {
    asked:
      received === undefined
        ? (asked as RequestState<never>)
        : { ...asked, is: 'answered', value: (held ?? received).changes },
    damaged: (held ?? received)?.damaged ?? [],
    isPaused: held !== undefined,
    setPaused: (isPaused) => setPaused(isPaused ? received : undefined),
    fresh: (held ?? received)?.count ?? 0,
    waiting: held === undefined || received === undefined ? 0 : received.count - held.count,
    isLost: isLost || isAway,
    error,
  }
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => !document.hidden)
  useEffect(() => {
    const changed = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [])
  return isVisible
}
