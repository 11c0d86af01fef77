// An address that no page has.

import { PageHead } from '../../parts/frame/page-head.tsx'
import { hrefTo } from '../../state/frame/address.ts'

export function NotFoundPage() {
  return (
    <>
      <PageHead title="Page not found" />
      <p>
        The address may be mistyped or cut off. <a href={hrefTo('/')}>Go to the overview</a>.
      </p>
    </>
  )
}
