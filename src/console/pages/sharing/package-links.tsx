// Links to packages: which are open, how often each was fetched, and withdrawing one. For
// administrators.

import { useState } from 'preact/hooks'
import type { PackageLink } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { labelOf } from '../../words/labels.ts'

export function PackageLinksPage() {
  const { own } = useOpenSession()
  const mayManage = useMay('administrator')
  return (
    <>
      <PageHead
        title="Package links"
        actions={
          mayManage && (
            <a class="button main" href={hrefTo('/fda')}>
              New link
            </a>
          )
        }
      >
        <p class="quiet">
          With the address and the code of a link, FDA or an auditor downloads a package without signing in. Each
          download is in the access log.
        </p>
      </PageHead>
      {mayManage ? (
        <AllLinks />
      ) : (
        <p class="callout">Only an administrator key can see and withdraw links. Yours is a {own.role} key.</p>
      )}
    </>
  )
}

function AllLinks() {
  const { api } = useOpenSession()
  const [leaving, setLeaving] = useState<PackageLink>()
  const links = usePaged(async (options) => (await api.listPackageLinks(options)).body, [])
  return (
    <>
      <When asked={links.asked} what="the links">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="There is no link yet">
              <p>
                Choose the records on the page <a href={hrefTo('/fda')}>FDA package</a>, then press “Create link”.
              </p>
            </Empty>
          ) : (
            <>
              <DataTable
                label="Package links"
                columns={[
                  ...columns,
                  {
                    heading: 'Withdraw',
                    isAction: true,
                    cell: (link) =>
                      (link.state === 'open' || link.state === 'locked') && (
                        <button type="button" onClick={() => setLeaving(link)}>
                          Withdraw<span class="hidden"> link for {link.label}</span>
                        </button>
                      ),
                  },
                ]}
                rows={content}
                keyOf={({ id }) => id}
              />
              <ListEnd paged={links} noun="link" newestFirst />
            </>
          )
        }
      </When>
      {leaving && (
        <WithdrawLink
          key={leaving.id}
          link={leaving}
          onDone={(isWithdrawn) => {
            setLeaving(undefined)
            if (isWithdrawn) links.asked.again()
          }}
        />
      )}
    </>
  )
}

/** The parameters that narrow the package; the others change its form. */
const askedParts = (asked: PackageLink['asked']): readonly (readonly [string, string])[] =>
  Object.entries(asked)
    .filter(([name]) => name !== 'gaps' && name !== 'contact')
    .map(([name, value]) => [name, [value].flat().join(', ')])

const stateTags = { open: 'added', expired: 'removed', withdrawn: 'removed', locked: 'replaced' } as const

/** To the minute. */
const columns: readonly Column<PackageLink>[] = [
  {
    heading: 'For whom',
    cell: ({ label, createdDateTime, createdBy, createdByName }) => (
      <>
        <bdi>{label}</bdi>
        <span class="small quiet">
          created <Instant instant={createdDateTime} /> by <KeyName name={createdByName} id={createdBy} />
        </span>
      </>
    ),
  },
  {
    heading: 'Package',
    cell: ({ asked }) => (
      <dl class="held">
        {askedParts(asked).map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    ),
  },
  { heading: 'State', cell: (link) => <LinkState link={link} /> },
  {
    heading: 'Downloads',
    cell: ({ id, fetches, lastFetchedDateTime }) =>
      lastFetchedDateTime === null ? (
        <span class="quiet">none</span>
      ) : (
        <>
          <a href={hrefTo(`/access-log?${new URLSearchParams({ who: `package link ${id}` })}`)}>
            {pluralize(fetches, 'download')}
          </a>
          <span class="small">
            , last <Instant instant={lastFetchedDateTime} />
          </span>
        </>
      ),
  },
]

function LinkState({ link }: { readonly link: PackageLink }) {
  const { state, expiresDateTime, withdrawnDateTime, withdrawnBy, withdrawnByName, wrongCodes } = link
  return (
    <>
      <span class={`tag ${stateTags[state]}`}>{state}</span>{' '}
      <span class="small">
        {withdrawnDateTime !== null && withdrawnBy !== null ? (
          <>
            <Instant instant={withdrawnDateTime} /> by <KeyName name={withdrawnByName} id={withdrawnBy} />
          </>
        ) : (
          <>
            {state === 'expired' ? 'since' : 'expires'} <Instant instant={expiresDateTime} />
          </>
        )}
      </span>
      {wrongCodes > 0 && <span class="small">, {pluralize(wrongCodes, 'wrong code')}</span>}
    </>
  )
}

function WithdrawLink({
  link,
  onDone,
}: {
  readonly link: PackageLink
  readonly onDone: (isWithdrawn: boolean) => void
}) {
  const { api } = useOpenSession()
  const withdraw = async () => {
    try {
      await api.withdrawPackageLink({ id: link.id })
      say(`The link for “${link.label}” is withdrawn`)
      onDone(true)
    } catch (error) {
      say(failureSentence(error), 'failed')
      onDone(false)
    }
  }
  return (
    <Confirmation
      title={
        <>
          Withdraw the link for <bdi>“{link.label}”</bdi>?
        </>
      }
      words="Withdraw link"
      busyWords="Withdrawing…"
      onConfirm={withdraw}
      onClose={() => onDone(false)}
    >
      <p>
        It opens nothing more, and a download in progress is cut off. What was downloaded before stays with whoever has
        it. The link stays in the list, and cannot be opened again.
      </p>
    </Confirmation>
  )
}
