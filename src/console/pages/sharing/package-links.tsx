// Links to packages: which are open, how often each was fetched, and withdrawing one. For
// administrators.

import { useState } from 'preact/hooks'
import type { PackageLink } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { TextList } from '../../parts/records/text-list.tsx'
import { type Fact, FactList } from '../../parts/tables/fact-list.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
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
  const [leaving, setLeaving] = useState<PackageLink>()
  const links = usePaged((api, options) => api.listPackageLinks(options), [])
  return (
    <>
      <PagedTable
        paged={links}
        noun="link"
        newestFirst
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
        keyOf={({ id }) => id}
        empty={
          <Empty title="There is no link yet">
            <p>
              Choose the records on the page <a href={hrefTo('/fda')}>FDA package</a>, then press “Create link”.
            </p>
          </Empty>
        }
      />
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

/** The parameters that select records. The rest change the form of the package. */
const askedParts = (asked: PackageLink['asked']): readonly Fact[] =>
  Object.entries(asked)
    .filter(([name]) => name !== 'gaps' && name !== 'contact')
    .map(([name, value]) => [labelOf(name), <TextList key={name} texts={[value].flat().map(String)} />])

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
    cell: ({ asked }) => <FactList facts={askedParts(asked)} />,
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

interface WithdrawProps {
  readonly link: PackageLink
  readonly onDone: (isWithdrawn: boolean) => void
}

function WithdrawLink({ link, onDone }: WithdrawProps) {
  const { api } = useOpenSession()
  const withdraw = async () => {
    await api.withdrawPackageLink({ id: link.id })
    say(`The link for “${link.label}” is withdrawn`)
    onDone(true)
  }
  return (
    <Confirmation
      title="Withdraw the link for"
      about={link.label}
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
