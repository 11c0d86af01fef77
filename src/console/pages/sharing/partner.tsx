// One partner: the records it sees, its readers, and its accesses.
import { useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { ProblemError } from '../../../client/failure.ts'
import type { Partner } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { NamedFirst } from '../../parts/fields/display-name.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { accessColumns } from '../../parts/keeping/access-columns.tsx'
import { InvitePartner } from '../../parts/people/invite-partner.tsx'
import { GrantSentence } from '../../parts/sharing/grant-sentence.tsx'
import { OpenLot } from '../../parts/sharing/open-lot.tsx'
import { PartnerKeys } from '../../parts/sharing/partner-keys.tsx'
import { NamedPlace } from '../../parts/sharing/partner-places.tsx'
import { PartnerState } from '../../parts/sharing/partner-state.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FactList } from '../../parts/tables/fact-list.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { type DayOfReads, readsByDay } from '../../records/partner-reads.ts'
import { covers, placeKey } from '../../records/sharing-words.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { atReadVersion } from '../../state/frame/guarded-save.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useAskAgain, useRequest, useVersionedAnswer } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { useStoredPlaces } from '../../state/sharing/stored-places.ts'
import type { PageProps } from '../frame/page.ts'

/** How often the page asks while the account is brought up to date, in milliseconds. */
const askedEveryMs = 1_500

export function PartnerPage({ values: { id = '' } }: PageProps) {
  const asked = useVersionedAnswer((api, signal) => api.readPartner({ id, signal }), [id])
  const partner = asked.is === 'answered' ? asked.value : undefined
  useAskAgain(asked, ({ state }) => state !== 'open', askedEveryMs)
  if (asked.is === 'failed' && asked.error instanceof ProblemError && asked.error.status === 404)
    return <DeletedPartner id={id} />
  return (
    <>
      <PageHead
        title={partner?.name ?? 'Partner'}
        actions={partner && <Actions partner={partner} onDone={asked.again} />}
      >
        <p class="quiet">
          <a href={hrefTo('/partners')}>All partners</a>
        </p>
      </PageHead>
      <When asked={asked} what="the partner">
        {(one) => (
          <div class="sections">
            <Shared partner={one} />
            <PartnerKeys partner={one} onDone={asked.again} />
            <section aria-labelledby="accesses">
              <h2 id="accesses">What it read</h2>
              <PartnerAccesses id={id} />
            </section>
          </div>
        )}
      </When>
    </>
  )
}

/** Its settings are deleted; its accesses are evidence, and stay. */
function DeletedPartner({ id }: { readonly id: string }) {
  const { api } = useOpenSession()
  const asked = useRequest((signal) => deletedPartner(api, id, signal), [id])
  const name = asked.is === 'answered' ? asked.value?.name : undefined
  return (
    <>
      <PageHead title="Deleted partner">
        <p class="quiet">
          Nothing is shared with {name === undefined ? 'this partner' : <bdi>{name}</bdi>} any more. The{' '}
          <a href={hrefTo('/access-log')}>access log</a> has who deleted it.{' '}
          <a href={hrefTo('/partners')}>All partners</a>
        </p>
      </PageHead>
      <section aria-labelledby="accesses">
        <h2 id="accesses">What it read</h2>
        <PartnerAccesses id={id} />
      </section>
    </>
  )
}

/** Its accesses, newest first. */
function PartnerAccesses({ id }: { readonly id: string }) {
  const paged = usePaged((api, options) => api.listPartnerAccesses({ id, ...options }), [id])
  return (
    <When asked={paged.asked} what="what it read">
      {({ content }) =>
        content.length === 0 ? (
          <Empty title="It has not read anything yet">
            <p>Everything that it reads or downloads is recorded here before it is sent.</p>
          </Empty>
        ) : (
          <>
            <DataTable
              label="What the partner read"
              columns={readColumns}
              rows={readsByDay(content)}
              keyOf={({ day, who }) => `${day} ${who}`}
            />
            <ListEnd paged={paged} noun="request" newestFirst />
            <details>
              <summary>Each request</summary>
              <DataTable label="Requests" columns={accessColumns} rows={content} keyOf={({ id }) => id} />
            </details>
          </>
        )
      }
    </When>
  )
}

const readColumns: readonly Column<DayOfReads>[] = [
  { heading: 'Day (UTC)', cell: ({ day }) => day },
  { heading: 'Who', cell: ({ keyName, who }) => (keyName === null ? <code>{who}</code> : <bdi>{keyName}</bdi>) },
  {
    heading: 'What it read',
    class: 'sentence',
    cell: ({ reads }) => (
      <ul class="plain-list">
        {reads.map((words) => (
          <li key={words}>
            <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    ),
  },
]

async function deletedPartner(api: Client, id: string, signal: AbortSignal) {
  for (let cursor: string | undefined; ; ) {
    const { body } = await api.listDeletedPartners({ limit: 200, cursor, signal })
    const found = body.content.find((one) => one.id === id)
    if (found !== undefined || body.nextCursor === null) return found
    cursor = body.nextCursor
  }
}

interface ActionProps {
  readonly partner: Partner & { readonly version: number }
  readonly onDone: () => void
}

function Actions({ partner, onDone }: ActionProps) {
  const [question, setQuestion] = useState<'invite' | 'lot' | 'delete'>()
  const close = () => setQuestion(undefined)
  return (
    <>
      <button type="button" class="main" onClick={() => setQuestion('invite')}>
        Invite
      </button>
      <button type="button" onClick={() => setQuestion('lot')}>
        Open a lot…
      </button>
      <a class="button" href={hrefTo(`/partners/${partner.id}/edit`)}>
        Edit
      </a>
      <button type="button" onClick={() => setQuestion('delete')}>
        Delete…
      </button>
      {question === 'invite' && (
        <NamedFirst onClose={close}>
          <InvitePartner partner={partner} onClose={close} onDone={onDone} />
        </NamedFirst>
      )}
      {question === 'lot' && <OpenLot partner={partner} onClose={close} onDone={onDone} />}
      {question === 'delete' && <DeletePartner partner={partner} onClose={close} onDone={onDone} />}
    </>
  )
}

function DeletePartner({ partner, onClose, onDone }: ActionProps & { readonly onClose: () => void }) {
  const { api } = useOpenSession()
  // The page polls: what was shown when the question was asked is deleted, and nothing newer.
  const [{ id, name, version }] = useState(partner)
  return (
    <Confirmation
      title="Stop sharing with"
      about={name}
      words="Delete partner"
      busyWords="Deleting…"
      onConfirm={async () => {
        await atReadVersion(() => api.deletePartner({ id, ifMatch: version }), onDone)
        say(`Nothing is shared with ${name} any more`)
        go('/partners')
      }}
      onClose={onClose}
    >
      <p>
        All its keys and invitations end within two seconds, and everything is withdrawn from its account. What it has
        read or downloaded stays with it. What it read stays listed under “Deleted partners”. This cannot be undone.
      </p>
    </Confirmation>
  )
}

function Shared({ partner }: { readonly partner: Partner }) {
  const { name, places, grants, state, completeDateTime, records } = partner
  const stored = useStoredPlaces()
  const known = stored.is === 'answered' ? stored.value : []
  return (
    <section aria-labelledby="shared">
      <h2 id="shared">What it sees</h2>
      {state === 'closed' && (
        <p class="callout">
          The account is closed while what is no longer shared is withdrawn. Until then its keys read nothing. This page
          shows when it is done.
        </p>
      )}
      {state === 'updating' && (
        <p class="callout">The account is being brought up to date. Some events are not in it yet.</p>
      )}
      {grants.length === 0 ? (
        <Empty title="Nothing is shared">
          <p>“Edit” chooses what the partner sees.</p>
        </Empty>
      ) : (
        <ul class="grant-list">
          {grants.map((grant) => (
            <li key={JSON.stringify(grant)}>
              <GrantSentence name={name} places={places.length} grant={grant} />
            </li>
          ))}
        </ul>
      )}
      <FactList
        class="held webhook-facts"
        facts={[
          ['Access', <PartnerState key="access" state={state} />],
          [
            'In its account',
            `${pluralize(records.receivingEvents, 'receiving event')}, ${pluralize(records.masterProducts, 'product')}, ${pluralize(records.locations, 'location')}`,
          ],
          ['Complete since', <Instant instant={completeDateTime} never="not yet" toSecond />],
          [
            'Its places',
            places.length === 0 ? (
              <span class="quiet">none</span>
            ) : (
              <ul class="plain-list">
                {places.map((place) => (
                  <li key={placeKey(place)}>
                    <NamedPlace place={place} stored={known.filter((one) => covers(place, one))} />
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </section>
  )
}
