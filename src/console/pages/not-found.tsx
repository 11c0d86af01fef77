// An address that no page has.
import { hrefTo } from '../address.ts'
import { PageHead } from '../parts/page-head.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHead title="There is no such page" />
      <p>
        The address may be mistyped or cut off. <a href={hrefTo('/')}>Go to the first page</a>.
      </p>
    </>
  )
}
