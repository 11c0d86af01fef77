// The whole page: the session determines the shell, and the address the page.
import { useEffect } from 'preact/hooks'
import { NotFoundPage } from './pages/frame/not-found.tsx'
import type { Page } from './pages/frame/page.ts'
import { pageAt } from './pages/frame/path-match.ts'
import { SignInPage } from './pages/people/sign-in.tsx'
import { NotSharedPage } from './pages/sharing/not-shared.tsx'
import { pages, titledPages } from './pages.ts'
import { Boundary } from './parts/frame/boundary.tsx'
import { Shell } from './parts/frame/shell.tsx'
import { Loading } from './parts/frame/states.tsx'
import { recordSections } from './records/record-sections.ts'
import { useAddress } from './state/frame/address.ts'
import { useReturns } from './state/frame/connection.ts'
import { forgetFinds } from './state/frame/recent.ts'
import { findSession, useSession, useSessionKnown } from './state/frame/session.ts'
import { nameFieldsOf } from './words/labels.ts'

const notFound: Page = { path: '', view: NotFoundPage, role: 'partner' }

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

  nameFieldsOf(recordSections.find((one) => `${path}/`.startsWith(`${one.path}/`))?.kind.name)
  const { page, values } = pageAt(pages, path) ?? { page: notFound, values: {} }
  if (session === undefined && !page.isOpen)
    return <Shell pages={[]}>{isKnown ? <SignInPage /> : <Loading what="who is signed in" />}</Shell>
  const isShared = session?.role !== 'partner' || page.role === 'partner' || page.isOpen
  const View = isShared ? page.view : NotSharedPage
  // Another record, or another person, is another page, with no state left from the one before.
  const subject = `${page.isOpen ? '' : session?.key} ${path}`
  return (
    <Shell pages={titledPages}>
      <Boundary key={subject}>
        <View key={subject} values={values} query={new URLSearchParams(query)} />
      </Boundary>
    </Shell>
  )
}
