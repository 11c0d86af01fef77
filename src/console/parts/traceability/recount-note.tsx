// A note that the numbers shown are still being counted with current locations and products.
import { useEffect } from 'preact/hooks'

interface Props {
  /** The shown counts. */
  readonly of: { readonly recounting: string | null }
  /** The noun for the lagging counts, at the beginning of a sentence. */
  readonly what: string
  readonly again: () => void
  /** Asks again without the reader, unless that would remove pages loaded since. */
  readonly byItself?: boolean
}

const askAgainMs = 5_000

export function RecountNote({ of, what, again, byItself = false }: Props) {
  const lags = of.recounting !== null
  useEffect(() => {
    if (!lags || !byItself) return
    // After each answer, since one may take longer than the pause.
    const timer = setTimeout(again, askAgainMs)
    return () => clearTimeout(timer)
  }, [of])
  if (!lags) return null
  return (
    <p class="callout" role="status">
      {what} being updated with the current locations and products.{' '}
      {byItself ? (
        'The page shows the new ones when they are ready.'
      ) : (
        <button type="button" onClick={again}>
          Refresh
        </button>
      )}
    </p>
  )
}
