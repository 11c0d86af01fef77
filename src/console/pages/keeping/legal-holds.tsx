// Legal holds: no purge removes the records they cover. Administrators set and lift them.

import { useState } from 'preact/hooks'
import type { LegalHold } from '../../../client/generated/shapes.ts'
import { Form } from '../../parts/fields/form.tsx'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { FactList } from '../../parts/tables/fact-list.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { Mistake } from '../../state/frame/submission.ts'
import { say } from '../../state/frame/toasts.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/legal-holds'

export function LegalHoldsPage({ query }: PageProps) {
  const { own } = useOpenSession()
  const maySet = useMay('administrator')
  const withLifted = query.get('lifted') === 'true'
  const [lifting, setLifting] = useState<LegalHold>()
  const holds = usePaged(
    (api, options) => api.listLegalHolds({ ...options, ...(!withLifted && { standing: true }) }),
    [withLifted],
  )
  return (
    <>
      <PageHead title="Legal holds">
        <p class="quiet">
          No purge removes a record that a legal hold covers, whatever its age. A hold covers all versions of a record
          when one of them fits, also records that arrive later.
        </p>
        <Tabs
          label="Which holds"
          tabs={[
            { words: 'Active', path, isHere: !withLifted },
            { words: 'Active and lifted', path: `${path}?lifted=true`, isHere: withLifted },
          ]}
        />
      </PageHead>
      {maySet ? (
        <SetHold onSet={holds.asked.again} />
      ) : (
        <p class="callout">Only an administrator key can set and lift legal holds. Yours is a {own.role} key.</p>
      )}
      <PagedTable
        paged={holds}
        noun="legal hold"
        newestFirst
        label="Legal holds"
        columns={[
          ...columns,
          maySet && {
            heading: 'Lift',
            isAction: true,
            cell: (hold) =>
              hold.liftedDateTime === null && (
                <button type="button" onClick={() => setLifting(hold)}>
                  Lift<span class="hidden"> hold {hold.reason}</span>
                </button>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={
          <Empty title={withLifted ? 'There have been no legal holds' : 'No legal hold is active'}>
            <p>Records may be purged when their retention time is over. Only the operator can start a purge.</p>
          </Empty>
        }
      />
      {lifting && (
        <LiftHold
          key={lifting.id}
          hold={lifting}
          onDone={(lifted) => {
            setLifting(undefined)
            if (lifted) holds.asked.again()
          }}
        />
      )}
    </>
  )
}

/** The conditions of a hold, all of which a record must meet. */
function Held({ hold }: { readonly hold: LegalHold }) {
  const { recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate, everything } = hold
  if (everything) return <strong>All records</strong>
  const period =
    eventStartDate === null
      ? eventEndDate !== null && `until ${eventEndDate}`
      : eventEndDate === null
        ? `from ${eventStartDate}`
        : `${eventStartDate} to ${eventEndDate}`
  return (
    <FactList
      facts={[
        [
          'Lot code',
          lotCode && (
            <a href={hrefTo(`/trace?lotCode=${encodeURIComponent(lotCode)}`)}>
              <bdi>{lotCode}</bdi>
            </a>
          ),
        ],
        ['Vendor', dataProviderVendorId && <bdi>{dataProviderVendorId}</bdi>],
        ['Received or shipped', period],
        ['Record', recordId && <code>{recordId}</code>],
      ]}
    />
  )
}

const Doer = (doer: { readonly name: string | null; readonly id: string }) => (
  <span class="small">
    by <KeyName {...doer} />
  </span>
)

const columns: readonly Column<LegalHold>[] = [
  { heading: 'Reason', cell: ({ reason }) => <bdi>{reason}</bdi> },
  { heading: 'Held', cell: (hold) => <Held hold={hold} /> },
  {
    heading: 'Set',
    cell: ({ setDateTime, setBy, setByName }) => (
      <>
        <Instant instant={setDateTime} /> <Doer name={setByName} id={setBy} />
      </>
    ),
  },
  {
    heading: 'State',
    cell: ({ liftedDateTime, liftedBy, liftedByName }) =>
      liftedDateTime === null ? (
        <span class="tag added">active</span>
      ) : (
        <>
          <span class="tag removed">lifted</span> <Instant instant={liftedDateTime} />{' '}
          {liftedBy !== null && <Doer name={liftedByName} id={liftedBy} />}
        </>
      ),
  },
]

function LiftHold({ hold, onDone }: { readonly hold: LegalHold; readonly onDone: (lifted: boolean) => void }) {
  const { api } = useOpenSession()
  const lift = async () => {
    await api.liftLegalHold({ id: hold.id })
    say(`The legal hold “${hold.reason}” is lifted`)
    onDone(true)
  }
  return (
    <Confirmation
      title="Lift the hold"
      about={hold.reason}
      words="Lift hold"
      busyWords="Lifting…"
      onConfirm={lift}
      onClose={() => onDone(false)}
    >
      <p>
        The next purge may then remove what only this hold covers, if its retention time is over. Lifting removes
        nothing by itself. The hold stays in the list, marked as lifted.
      </p>
    </Confirmation>
  )
}

const reasonField: SettingField = {
  name: 'reason',
  label: 'Reason',
  required: true,
  hint: 'For the person who will lift it, e.g. Recall 2026-014.',
}

/** Conditions that a hold may have. */
const conditions: readonly SettingField[] = [
  {
    name: 'lotCode',
    label: 'Lot code (optional)',
    hint: 'Events that have or had this lot, in any form of the code.',
  },
  { is: 'value', name: 'dataProviderVendorId', of: 'dataProviderVendorId', label: 'Vendor (optional)' },
  { is: 'date', name: 'eventStartDate', label: 'Received or shipped from (optional)' },
  { is: 'date', name: 'eventEndDate', label: 'Received or shipped until (optional)' },
  {
    name: 'recordId',
    label: 'Record id (optional)',
    hint: 'One record: copy its id from the page of the record.',
  },
]

function SetHold({ onSet }: { readonly onSet: () => void }) {
  const { api } = useOpenSession()
  const [everything, setEverything] = useState(false)

  const send = async (text: (name: string) => string, form: HTMLFormElement) => {
    const reason = text('reason')
    const held = Object.fromEntries(
      conditions.map(({ name }) => [name, text(name)]).filter(([, value]) => value !== ''),
    )
    if (!everything && Object.keys(held).length === 0)
      throw new Mistake('Say what is held: fill in at least one field below the reason, or choose all records.')
    const { eventStartDate: from, eventEndDate: until } = held
    if (from !== undefined && until !== undefined && until < from)
      throw new Mistake('“Received or shipped until” is before “Received or shipped from”. Swap the dates.')
    await api.setLegalHold({ body: { reason, ...(everything ? { everything } : held) } })
    say(`The legal hold “${reason}” is active`)
    form.reset()
    setEverything(false)
    onSet()
  }

  return (
    <Form aria-labelledby="set-hold" words="Set legal hold" busyWords="Setting…" onSend={send}>
      <h2 id="set-hold">Set a legal hold</h2>
      <SettingFields
        form="hold"
        fields={[reasonField, ...conditions.map((field) => ({ ...field, disabled: everything }))]}
        values={{}}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={everything}
          onChange={({ currentTarget }) => setEverything(currentTarget.checked)}
        />
        Hold all records
      </label>
      <p class="quiet small">Several fields narrow the hold: a record is held when all of them fit.</p>
    </Form>
  )
}
