// The whole page: who is signed in decides what is shown, the address which page.
import { useEffect } from 'preact/hooks'
import { go, useAddress } from './address.ts'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { navigation, pages } from './pages.ts'
import { Boundary } from './parts/boundary.tsx'
import { Shell } from './parts/shell.tsx'
import { pageAt } from './path-match.ts'
import { useSession } from './session.ts'

export function Console() {
  const { path, query } = useAddress()
  const session = useSession()
  const first = navigation[0]?.path ?? '/'
  useEffect(() => {
    if (session !== undefined && path === '/') go(first, { replace: true })
  }, [path, session === undefined])

  if (session === undefined)
    return (
      <Shell navigation={[]}>
        <SignInPage />
      </Shell>
    )
  if (path === '/') return <Shell navigation={navigation} />
  const { page, values } = pageAt(pages, path) ?? { page: { path: '', view: NotFoundPage }, values: {} }
  return (
    <Shell navigation={navigation}>
      <Boundary key={path}>
        {/* Another record is another page, with nothing left over from the one before. */}
        <page.view key={path} values={values} query={new URLSearchParams(query)} />
      </Boundary>
    </Shell>
  )
}
