// The whole page: who is signed in decides what is shown, the address which page.

import { NotFoundPage } from './pages/not-found.tsx'
import { pageAt } from './pages/path-match.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { navigation, pages } from './pages.ts'
import { Boundary } from './parts/boundary.tsx'
import { Shell } from './parts/shell.tsx'
import { useAddress } from './state/address.ts'
import { useSession } from './state/session.ts'

export function Console() {
  const { path, query } = useAddress()
  const session = useSession()

  if (session === undefined)
    return (
      <Shell navigation={[]}>
        <SignInPage />
      </Shell>
    )
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
