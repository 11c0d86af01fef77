// Replaces a page that partners cannot use: it is about the account of the provider.
import { PageHead } from '../../parts/frame/page-head.tsx'
import { hrefTo } from '../../state/frame/address.ts'

export const NotSharedPage = () => (
  <>
    <PageHead title="Not shared with you" />
    <div class="state">
      <p>
        This page is for the company that shares its records. What is shared with you stands under Receiving events.
      </p>
      <p>
        <a href={hrefTo('/events')}>Receiving events</a>
      </p>
    </div>
  </>
)
