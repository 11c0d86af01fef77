// A note that the numbers shown are still being counted with current locations and products.
import { useEffect } from 'preact/hooks'

interface Props {
  /** What is shown. */
  readonly of: { readonly recounting: string | null }
  /** What lags, as a sentence begins with it. */
  readonly what: string
  readonly again: () => void
  /** Asks again without the reader: not where that would take away what was loaded since. */
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
