// Places to which the rule does not apply, and why: what is received from them has fewer gaps and a
// sheet of its own.
import { useState } from 'preact/hooks'
import type { Exemption, ExemptPlace, NewExemptPlace } from '../../../client/generated/shapes.ts'
import { type ExemptionReason, exemptionReasonNames, exemptionReasons } from '../../../contract/exempt-place.ts'
import { Form } from '../../parts/fields/form.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { EditConflict } from '../../parts/records/guarded-edit.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { isStale, useGuardedSave } from '../../state/frame/guarded-save.ts'
import { useVersionedAnswer } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureSentence } from '../../words/failure-words.ts'

export function ExemptPlacesPage() {
  const { own, api } = useOpenSession()
  const maySet = useMay('administrator')
  const asked = useVersionedAnswer((api, signal) => api.listExemptPlaces({ signal }))
  const known = asked.is === 'answered' ? asked.value : undefined
  const remove = async ({ place, exemption }: Row) => {
    try {
      const exemptions = (place.exemptions ?? []).filter((one) => one !== exemption)
      await api.setExemptPlaces({ body: { places: [{ ...place, exemptions }] }, ifMatch: known?.version ?? 0 })
      say(`${sentenceOf(exemption)}: removed`)
      asked.again()
    } catch (error) {
      say(failureSentence(error), 'failed')
      if (isStale(error)) asked.again()
    }
  }
  return (
    <>
      <PageHead title="Exempt places">
        <p class="quiet">
          Places to which the traceability rule does not apply (21 CFR 1.1305). Receipts from them have their own sheet
          in the files for FDA, and the source of their lot codes is where they were received. No record changes;
          completeness follows within a moment.
        </p>
      </PageHead>
      {maySet ? (
        <AddExemption known={known} onSet={asked.again} />
      ) : (
        <p class="callout">Only an administrator key can set exempt places. Yours is a {own.role} key.</p>
      )}
      <When asked={asked} what="the exempt places">
        {({ content }) => {
          const rows = content.flatMap(({ place }) =>
            (place.exemptions ?? []).map((exemption): Row => ({ place, exemption })),
          )
          return rows.length === 0 ? (
            <Empty title="No place is exempt">
              <p>Every receipt needs all key data elements of 21 CFR 1.1345(a).</p>
            </Empty>
          ) : (
            <DataTable
              label="Exempt places"
              columns={[
                ...columns,
                maySet && {
                  heading: 'Change',
                  isAction: true,
                  cell: (row) => (
                    <button type="button" onClick={() => remove(row)}>
                      Remove<span class="hidden"> {sentenceOf(row.exemption)}</span>
                    </button>
                  ),
                },
              ]}
              rows={rows}
              keyOf={({ place, exemption }) => JSON.stringify([keyOf(place), exemption])}
            />
          )
        }}
      </When>
    </>
  )
}

interface Row {
  readonly place: NewExemptPlace
  readonly exemption: Exemption
}

const reasonWords = (reason: ExemptionReason): string =>
  `${exemptionReasons[reason].words} (${exemptionReasons[reason].paragraph})`

const periodOf = ({ startDate, endDate }: Exemption): string =>
  startDate === undefined
    ? endDate === undefined
      ? 'always'
      : `to ${endDate}`
    : `from ${startDate}${endDate === undefined ? '' : ` to ${endDate}`}`

const sentenceOf = (exemption: Exemption): string =>
  [
    reasonWords(exemption.reason),
    periodOf(exemption),
    ...(exemption.shipToLocationCodes === undefined ? [] : [`at ${exemption.shipToLocationCodes.join(', ')}`]),
  ].join(', ')

const columns: readonly Column<Row>[] = [
  { heading: 'Vendor', cell: ({ place: { dataProviderVendorId } }) => <bdi>{dataProviderVendorId}</bdi> },
  { heading: 'Ship-from location', cell: ({ place: { locationCode } }) => <bdi>{locationCode ?? 'All others'}</bdi> },
  { heading: 'Reason', cell: ({ exemption: { reason } }) => reasonWords(reason) },
  { heading: 'Period', cell: ({ exemption }) => periodOf(exemption) },
  {
    heading: 'Ship-to locations',
    cell: ({ exemption: { shipToLocationCodes } }) => <bdi>{shipToLocationCodes?.join(', ') ?? 'all'}</bdi>,
  },
  { heading: 'Note', cell: ({ exemption: { note } }) => <bdi>{note ?? ''}</bdi> },
]

interface Known {
  readonly content: readonly ExemptPlace[]
  readonly version: number
}

type Place = Pick<NewExemptPlace, 'dataProviderVendorId' | 'locationCode'>

const placeOf = ({ dataProviderVendorId, locationCode }: Place): Place => ({
  dataProviderVendorId,
  ...(locationCode && { locationCode }),
})

const keyOf = (place: Place): string => JSON.stringify(placeOf(place))

/** By their sentences: two people who add one each are not in each other's way. */
type Exemptions = Readonly<Record<string, Exemption>>

const exemptionsIn = ({ content }: Known, place: Place): Exemptions => {
  const { exemptions = [] } = content.find((one) => keyOf(one.place) === keyOf(place))?.place ?? {}
  return Object.fromEntries(exemptions.map((one) => [sentenceOf(one), one]))
}

const fields: readonly SettingField[] = [
  { is: 'value', name: 'dataProviderVendorId', of: 'dataProviderVendorId', label: 'Vendor', required: true },
  {
    name: 'locationCode',
    label: 'Ship-from location (optional)',
    placeholder: 'All of the vendor',
    hint: 'A location with an entry of its own is not covered by that of the vendor.',
    spellcheck: false,
  },
  {
    is: 'choice',
    name: 'reason',
    label: 'Reason',
    choices: exemptionReasonNames.map((reason) => [reason, reasonWords(reason)] as const),
  },
  { is: 'date', name: 'startDate', label: 'First day (optional)' },
  { is: 'date', name: 'endDate', label: 'Last day (optional)' },
  {
    name: 'shipToLocationCodes',
    label: 'Ship-to locations (optional)',
    placeholder: 'All',
    hint: 'Codes with commas between them. Name the stores or schools if others receive from the place too.',
    spellcheck: false,
  },
  { name: 'note', label: 'Note (optional)', hint: 'How you know it, for whoever reads the records.', maxLength: 100 },
]

interface AddProps {
  /** The places that the page shows; undefined until they are loaded. */
  readonly known: Known | undefined
  readonly onSet: () => void
}

/** The values of the form, as they were typed. */
type Typed = Readonly<Record<string, string>> & Place

function AddExemption({ known, onSet }: AddProps) {
  const { api } = useOpenSession()
  const { conflict, save, settle } = useGuardedSave<Exemptions>()
  /** What was typed when somebody else changed the place, and what was then chosen of both. */
  const [typed, setTyped] = useState<Typed>()
  const [chosen, setChosen] = useState<Exemptions>()
  const send = async (text: (name: string) => string, form: HTMLFormElement) => {
    const values = Object.fromEntries(fields.map(({ name }) => [name, text(name)])) as Typed
    const place = placeOf(values)
    const exemption = exemptionOf(values)
    const seen = known ?? { content: [], version: 0 }
    const read = exemptionsIn(seen, place)
    const before = chosen !== undefined && typed !== undefined && keyOf(typed) === keyOf(place) ? chosen : read
    const isSet = await save(
      { content: read, version: seen.version },
      { ...before, [sentenceOf(exemption)]: exemption },
      {
        entry: keyOf(place),
        send: (sent, version) =>
          api.setExemptPlaces({
            body: { places: [{ ...place, exemptions: Object.values(sent) }] },
            ifMatch: version,
          }),
        read: async () => {
          const { body, version = 0 } = await api.listExemptPlaces()
          return { content: exemptionsIn({ ...body, version }, place), version }
        },
      },
    )
    setTyped(isSet ? undefined : values)
    if (!isSet) return
    setChosen(undefined)
    say(`${sentenceOf(exemption)} is set`)
    form.reset()
    onSet()
  }
  if (conflict !== undefined)
    return (
      <EditConflict
        noun="exempt place"
        conflict={conflict}
        onSettled={(content) => {
          setChosen(content)
          settle()
          onSet()
        }}
      />
    )
  return (
    <Form
      key={JSON.stringify(chosen)}
      aria-labelledby="add-exemption"
      words="Add exemption"
      busyWords="Adding…"
      onSend={send}
    >
      <h2 id="add-exemption">Add an exemption</h2>
      <SettingFields form="exemption" fields={fields} values={{ reason: exemptionReasonNames[0], ...typed }} />
    </Form>
  )
}

function exemptionOf({ reason, startDate, endDate, shipToLocationCodes = '', note }: Typed): Exemption {
  const codes = shipToLocationCodes.split(',').map((code) => code.trim())
  const given = codes.filter((code) => code !== '')
  return {
    reason: reason as ExemptionReason,
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...(given.length > 0 && { shipToLocationCodes: given }),
    ...(note && { note }),
  }
}
