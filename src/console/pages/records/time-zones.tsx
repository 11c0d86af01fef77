// The time zones of locations: the places of receipt, and their local time.
import { useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import type { LocationTimeZone, NewTimeZone } from '../../../client/generated/shapes.ts'
import { Form } from '../../parts/fields/form.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { Fault } from '../../parts/frame/fault.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { EditConflict } from '../../parts/records/guarded-edit.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { atReadVersion, useGuardedSave } from '../../state/frame/guarded-save.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { failureSentence } from '../../words/failure-words.ts'

export function TimeZonesPage() {
  const { own } = useOpenSession()
  const maySet = useMay('administrator')
  const zones = usePaged(async (api, options) => {
    const { body, version = 0 } = await api.listTimeZones(options)
    return { body: { ...body, version } }
  })
  return (
    <>
      <PageHead title="Time zones">
        <p class="quiet">
          The date received is the calendar date at the receiving location. Where a sender writes times in UTC, that
          date follows only from the time zone of the location: an evening in Ohio is the next day in UTC. Set the time
          zone once per location. It applies to all its events, stored ones too.
        </p>
      </PageHead>
      {maySet ? (
        <SetZone known={zones.asked.is === 'answered' ? zones.asked.value : undefined} onSet={zones.asked.again} />
      ) : (
        <p class="callout">Only an administrator key can set time zones. Yours is a {own.role} key.</p>
      )}
      <PagedTable
        paged={zones}
        noun="time zone"
        label="Time zones"
        columns={[
          ...columns,
          maySet && {
            heading: 'Change',
            cell: (zone) => (
              <RemoveZone
                zone={zone}
                version={zones.asked.is === 'answered' ? zones.asked.value.version : 0}
                onSet={zones.asked.again}
              />
            ),
          },
        ]}
        keyOf={({ locationCode, dataProviderVendorId }) => `${locationCode} ${dataProviderVendorId}`}
        empty={<p class="quiet">No location has a time zone yet. Events keep the date with which they were sent.</p>}
      />
    </>
  )
}

const columns: readonly Column<LocationTimeZone>[] = [
  { heading: 'Location', cell: ({ locationCode }) => <bdi>{locationCode}</bdi> },
  {
    heading: 'Vendor',
    cell: ({ dataProviderVendorId }) => (dataProviderVendorId === null ? 'all' : <bdi>{dataProviderVendorId}</bdi>),
  },
  { heading: 'Time zone', cell: ({ timeZone }) => timeZone },
  {
    heading: 'Set',
    cell: ({ setDateTime }) => <Instant instant={setDateTime} toSecond />,
  },
]

interface RemoveProps {
  readonly zone: LocationTimeZone
  /** Of the list. */
  readonly version: number
  readonly onSet: () => void
}

function RemoveZone({ zone: { locationCode, dataProviderVendorId }, version, onSet }: RemoveProps) {
  const { api } = useOpenSession()
  const [fault, setFault] = useState<string>()
  const remove = async () => {
    try {
      const location = { locationCode, ...(dataProviderVendorId !== null && { dataProviderVendorId }) }
      await atReadVersion(() => api.setTimeZones({ body: { timeZones: [location] }, ifMatch: version }), onSet)
      onSet()
    } catch (error) {
      setFault(failureSentence(error))
    }
  }
  return (
    <>
      <button type="button" onClick={remove}>
        Remove<span class="hidden"> the time zone of {locationCode}</span>
      </button>
      <Fault>{fault}</Fault>
    </>
  )
}

interface KnownZones {
  readonly content: readonly LocationTimeZone[]
  readonly version: number
}

/** The setting of a location; nothing without a zone. */
type ZoneContent = Partial<Pick<LocationTimeZone, 'timeZone'>>

const zoneIn = ({ content }: KnownZones, locationCode: string, vendor: string): ZoneContent => {
  const zone = content.find((one) => one.locationCode === locationCode && (one.dataProviderVendorId ?? '') === vendor)
  return zone === undefined ? {} : { timeZone: zone.timeZone }
}

/** All of them: a location may be on any page. */
async function allZones(api: Client): Promise<KnownZones> {
  const content: LocationTimeZone[] = []
  for (let cursor: string | undefined; ; ) {
    const { body, version = 0 } = await api.listTimeZones({ limit: 200, cursor })
    content.push(...body.content)
    if (body.nextCursor === null) return { content, version }
    cursor = body.nextCursor
  }
}

const zoneFields: readonly SettingField[] = [
  { is: 'value', name: 'locationCode', of: 'shipToLocationCode', label: 'Location code', required: true },
  {
    is: 'value',
    name: 'dataProviderVendorId',
    of: 'dataProviderVendorId',
    label: 'Vendor (optional)',
    placeholder: 'Any vendor',
    hint: 'Without a vendor, the time zone applies to this location code at every vendor.',
  },
  { is: 'zone', name: 'timeZone', label: 'Time zone', required: true },
]

interface SetProps {
  /** The zones that the page shows; undefined until they are loaded. */
  readonly known: KnownZones | undefined
  readonly onSet: () => void
}

function SetZone({ known, onSet }: SetProps) {
  const { api } = useOpenSession()
  const { conflict, save, settle } = useGuardedSave<ZoneContent>()
  const [chosen, setChosen] = useState<NewTimeZone>()
  const [done, setDone] = useState<string>()

  const send = async (text: (name: string) => string, form: HTMLFormElement) => {
    const [locationCode, dataProviderVendorId, timeZone] = [
      text('locationCode'),
      text('dataProviderVendorId'),
      text('timeZone'),
    ]
    setDone(undefined)
    const location = { locationCode, timeZone, ...(dataProviderVendorId !== '' && { dataProviderVendorId }) }
    const contentIn = (seen: KnownZones) => ({
      content: zoneIn(seen, locationCode, dataProviderVendorId),
      version: seen.version,
    })
    const isSet = await save(
      contentIn(known ?? { content: [], version: 0 }),
      { timeZone },
      {
        entry: JSON.stringify([locationCode, dataProviderVendorId]),
        send: (_content, version) => api.setTimeZones({ body: { timeZones: [location] }, ifMatch: version }),
        read: async () => contentIn(await allZones(api)),
      },
    )
    setChosen(isSet ? undefined : location)
    if (!isSet) return
    setDone(`Location ${locationCode} is in ${timeZone}.`)
    form.reset()
    onSet()
  }

  if (conflict !== undefined)
    return (
      <EditConflict
        noun="time zone"
        conflict={conflict}
        onSettled={({ timeZone }) => {
          setChosen(chosen && { ...chosen, ...(timeZone !== undefined && { timeZone }) })
          settle()
          onSet()
        }}
      />
    )
  return (
    <Form
      key={JSON.stringify(chosen)}
      aria-labelledby="set-zone"
      words="Set time zone"
      busyWords="Setting…"
      onSend={send}
    >
      <h2 id="set-zone">Set a time zone</h2>
      <SettingFields form="zone" fields={zoneFields} values={chosen ?? {}} />
      <p role="status">{done}</p>
    </Form>
  )
}
