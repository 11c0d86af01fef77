// Pages of the second script. It is loaded right after the first one, so that a page that is open
// needs no further file later, when the service may be away or updated.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty, Loading } from '../parts/frame/states.tsx'
import type { PageProps } from './frame/page.ts'

type LaterPages = typeof import('./later-pages.ts')['laterPages']

let loaded: LaterPages | undefined

/** Loads the second script once. Rejects if it cannot be loaded. */
export async function loadLaterPages(): Promise<void> {
  loaded ??= (await import('./later-pages.ts')).laterPages
}

/** A page of the second script, or a part of one, as soon as it is loaded. */
export function laterPage<Props extends object = PageProps>(
  choose: (pages: LaterPages) => ComponentType<Props>,
): ComponentType<Props> {
  return function LaterPage(props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
    const View = loaded && choose(loaded)
    useEffect(() => {
      if (View === undefined)
        loadLaterPages().then(
          () => setState('loaded'),
          () => setState('failed'),
        )
    }, [])
    if (View !== undefined) return <View {...props} />
    if (state !== 'failed') return <Loading what="the page" />
    return (
      <Empty title="The page could not be loaded">
        <p>The network was interrupted, or the service was updated. Nothing you entered is lost.</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        </p>
      </Empty>
    )
  }
}
