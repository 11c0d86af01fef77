// The whole page: the session decides what is shown, and the address which page.
import { useEffect } from 'preact/hooks'
import { NotFoundPage } from './pages/not-found.tsx'
import { pageAt } from './pages/path-match.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { pages, titledPages } from './pages.ts'
import { Boundary } from './parts/boundary.tsx'
import { Shell } from './parts/shell.tsx'
import { Loading } from './parts/states.tsx'
import { useAddress } from './state/address.ts'
import { useReturns } from './state/connection.ts'
import { forgetFinds } from './state/recent.ts'
import { findSession, useSession, useSessionKnown } from './state/session.ts'

export function Console() {
  const { path, query } = useAddress()
  const session = useSession()
  const isKnown = useSessionKnown()
  const returns = useReturns()
  useEffect(() => {
    if (!isKnown) void findSession()
  }, [returns])
  useEffect(() => {
    if (isKnown && session === undefined) forgetFinds()
  }, [isKnown, session])

  if (session === undefined)
    return <Shell pages={[]}>{isKnown ? <SignInPage /> : <Loading what="who is signed in" />}</Shell>
  const { page, values } = pageAt(pages, path) ?? { page: { path: '', view: NotFoundPage }, values: {} }
  // Another record, or another person, is another page, with no state left from the one before.
  const subject = `${session.key} ${path}`
  return (
    <Shell pages={titledPages}>
      <Boundary key={subject}>
        <page.view key={subject} values={values} query={new URLSearchParams(query)} />
      </Boundary>
    </Shell>
  )
}
