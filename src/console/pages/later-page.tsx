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

const views = new Map<keyof LaterPages, ComponentType<PageProps>>()

/** The page of that name, as soon as it is loaded; one component for each name. */
export function laterPage(name: keyof LaterPages): ComponentType<PageProps> {
  const view = views.get(name) ?? waitingFor(name)
  views.set(name, view)
  return view
}

const waitingFor = (name: keyof LaterPages): ComponentType<PageProps> =>
  function LaterPage(props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
    const View = loaded?.[name]
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
