// The time zones of locations: where goods are received, and which time it is there.
import { useState } from 'preact/hooks'
import type { LocationTimeZone } from '../../../client/generated/shapes.ts'
import { FormEnd } from '../../parts/fields/form-end.tsx'
import { ValueField } from '../../parts/fields/value-field.tsx'
import { Fault } from '../../parts/frame/fault.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { ZoneField } from '../../parts/records/zone-field.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { dateTimeWords } from '../../words/labels.ts'

export function TimeZonesPage() {
  const { api, own } = useOpenSession()
  const maySet = useMay('administrator')
  const zones = usePaged(async (options) => (await api.listTimeZones(options)).body, [])
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
        <SetZone onSet={zones.asked.again} />
      ) : (
        <p class="callout">Only an administrator key can set time zones. Yours is a {own.role} key.</p>
      )}
      <When asked={zones.asked} what="the time zones">
        {({ content }) =>
          content.length === 0 ? (
            <p class="quiet">No location has a time zone yet. Events keep the date with which they were sent.</p>
          ) : (
            <>
              <table class="measures cards" aria-label="Time zones">
                <thead>
                  <tr>
                    <th scope="col">Location</th>
                    <th scope="col">Vendor</th>
                    <th scope="col">Time zone</th>
                    <th scope="col">Set</th>
                    {maySet && <th scope="col">Change</th>}
                  </tr>
                </thead>
                <tbody>
                  {content.map((zone) => (
                    <ZoneRow
                      key={`${zone.locationCode} ${zone.dataProviderVendorId}`}
                      zone={zone}
                      maySet={maySet}
                      onSet={zones.asked.again}
                    />
                  ))}
                </tbody>
              </table>
              <ListEnd paged={zones} noun="location" nouns="locations" />
            </>
          )
        }
      </When>
    </>
  )
}

interface RowProps {
  readonly zone: LocationTimeZone
  readonly maySet: boolean
  readonly onSet: () => void
}

function ZoneRow({ zone: { locationCode, dataProviderVendorId, timeZone, setDateTime }, maySet, onSet }: RowProps) {
  const { api } = useOpenSession()
  const [fault, setFault] = useState<string>()
  const remove = async () => {
    try {
      const location = { locationCode, ...(dataProviderVendorId !== null && { dataProviderVendorId }) }
      await api.setTimeZones({ body: { timeZones: [location] } })
      onSet()
    } catch (error) {
      setFault(failureSentence(error))
    }
  }
  return (
    <tr>
      <th scope="row">
        <bdi>{locationCode}</bdi>
      </th>
      <td data-words="Vendor">{dataProviderVendorId === null ? 'all' : <bdi>{dataProviderVendorId}</bdi>}</td>
      <td data-words="Time zone">{timeZone}</td>
      <td data-words="Set">
        <time dateTime={setDateTime}>{dateTimeWords(setDateTime)}</time>
      </td>
      {maySet && (
        <td data-words="Change">
          <button type="button" onClick={remove}>
            Remove<span class="hidden"> the time zone of {locationCode}</span>
          </button>
          <Fault>{fault}</Fault>
        </td>
      )}
    </tr>
  )
}

function SetZone({ onSet }: { readonly onSet: () => void }) {
  const { api } = useOpenSession()
  const submission = useSubmission()
  const [done, setDone] = useState<string>()

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = textIn(form)
    const [locationCode, dataProviderVendorId, timeZone] = [text('location'), text('vendor'), text('zone')]
    setDone(undefined)
    await submission.submit(async () => {
      const location = { locationCode, timeZone, ...(dataProviderVendorId !== '' && { dataProviderVendorId }) }
      await api.setTimeZones({ body: { timeZones: [location] } })
      setDone(`Location ${locationCode} is in ${timeZone}.`)
      form.reset()
      onSet()
    })
  }

  return (
    <form class="new-key" onSubmit={send} aria-labelledby="set-zone">
      <h2 id="set-zone">Set a time zone</h2>
      <div class="form-fields">
        <ValueField id="zone-location" label="Location code" name="location" of="shipToLocationCode" required />
        <ValueField
          id="zone-vendor"
          label="Vendor (optional)"
          name="vendor"
          of="dataProviderVendorId"
          placeholder="Any vendor"
          hint="Without a vendor, the time zone applies to this location code at every vendor."
        />
        <ZoneField id="zone-name" label="Time zone" name="zone" required />
      </div>
      <p role="status">{done}</p>
      <FormEnd submission={submission} words="Set time zone" busyWords="Setting…" />
    </form>
  )
}
