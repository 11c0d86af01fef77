// A request of a component to the service, and its state.
import { useEffect, useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { UnreachableError } from '../../../client/failure.ts'
import { useReturns } from './connection.ts'
import { useOpenSession } from './session.ts'

export type RequestState<T> = (
  | { readonly is: 'asking' }
  | { readonly is: 'answered'; readonly value: T }
  | { readonly is: 'failed'; readonly error: unknown }
) & { readonly again: () => void }

/** Asks the service, and has the body of its answer. */
export const useAnswer = <T>(
  ask: (api: Client, signal: AbortSignal) => Promise<{ readonly body: T }>,
  about: readonly unknown[] = [],
): RequestState<T> => {
  const { api } = useOpenSession()
  return useRequest(async (signal) => (await ask(api, signal)).body, about)
}

/** Asks for what a page changes: the body, with the version that a change of it names. */
export const useVersionedAnswer = <T extends object>(
  ask: (api: Client, signal: AbortSignal) => Promise<{ readonly body: T; readonly version: number | undefined }>,
  about: readonly unknown[] = [],
): RequestState<T & { readonly version: number }> => {
  const { api } = useOpenSession()
  return useRequest(async (signal) => {
    const { body, version = 0 } = await ask(api, signal)
    return { ...body, version }
  }, about)
}

/** Asks when the component is first drawn and when `about` changes; gives up when it goes. */
export function useRequest<T>(ask: (signal: AbortSignal) => Promise<T>, about: readonly unknown[]): RequestState<T> {
  const [tries, setTries] = useState(0)
  const returns = useReturns()
  const subject = JSON.stringify(about)
  const [state, setState] = useState<{ readonly of: string; readonly value?: T; readonly error?: unknown }>()
  const again = () => setTries((count) => count + 1)

  useEffect(() => {
    const giveUp = new AbortController()
    ask(giveUp.signal).then(
      (value) => giveUp.signal.aborted || setState({ of: subject, value }),
      (error: unknown) => giveUp.signal.aborted || setState({ of: subject, error }),
    )
    return () => giveUp.abort()
  }, [subject, tries])

  useEffect(() => {
    if (returns > 0 && state?.error instanceof UnreachableError) again()
  }, [returns])

  if (state === undefined || state.of !== subject) return { is: 'asking', again }
  if (state.error !== undefined) return { is: 'failed', error: state.error, again }
  return { is: 'answered', value: state.value as T, again }
}

/** Asks again some time after each answer, as long as that is wanted and the page is in sight. */
export function useAskAgain<T>(
  { again, ...asked }: RequestState<T>,
  isWanted: (value: T) => boolean,
  ms: number,
): void {
  const value = asked.is === 'answered' ? asked.value : undefined
  useEffect(() => {
    if (value === undefined || !isWanted(value)) return
    const timer = setInterval(() => {
      if (document.hidden) return
      clearInterval(timer)
      again()
    }, ms)
    return () => clearInterval(timer)
  }, [value])
}
