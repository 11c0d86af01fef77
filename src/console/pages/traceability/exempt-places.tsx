// Places to which the rule does not apply, and why: what is received from them has fewer gaps and a
// sheet of its own.

import type { Exemption, NewExemptPlace } from '../../../client/generated/shapes.ts'
import { type ExemptionReason, exemptionReasonNames, exemptionReasons } from '../../../contract/exempt-place.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { type DeclaredEntries, DeclaredEntriesEditor, type Typed } from '../../parts/records/declared-entries.tsx'
import { TextList } from '../../parts/records/text-list.tsx'

export const ExemptPlacesPage = () => (
  <>
    <PageHead title="Exempt places">
      <p class="quiet">
        Places to which the traceability rule does not apply (21 CFR 1.1305). Receipts from them have their own sheet in
        the files for FDA, and the source of their lot codes is where they were received. No record changes;
        completeness follows within a moment.
      </p>
    </PageHead>
    <DeclaredEntriesEditor of={exemptPlaces} />
  </>
)

type Place = Pick<NewExemptPlace, 'dataProviderVendorId' | 'locationCode'>

const placeOf = ({ dataProviderVendorId, locationCode }: Place): Place => ({
  dataProviderVendorId,
  ...(locationCode && { locationCode }),
})

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

function exemptionIn({ reason, startDate, endDate, shipToLocationCodes = '', note }: Typed): Exemption {
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

const exemptPlaces: DeclaredEntries<Place, Exemption, Exemption> = {
  label: 'Exempt places',
  noun: 'exempt place',
  nouns: 'exempt places',
  none: {
    title: 'No place is exempt',
    meaning: 'Every receipt needs all key data elements of 21 CFR 1.1345(a).',
  },
  form: {
    title: 'Add an exemption',
    words: 'Add exemption',
    busyWords: 'Adding…',
    fields: [
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
      {
        name: 'note',
        label: 'Note (optional)',
        hint: 'How you know it, for whoever reads the records.',
        maxLength: 100,
      },
    ],
    values: () => ({ reason: exemptionReasonNames[0] ?? '' }),
    read: (typed) => ({ owner: placeOf(typed as unknown as Place), entry: exemptionIn(typed) }),
  },
  columns: [
    { heading: 'Vendor', cell: ({ owner: { dataProviderVendorId } }) => <bdi>{dataProviderVendorId}</bdi> },
    { heading: 'Ship-from location', cell: ({ owner: { locationCode } }) => <bdi>{locationCode ?? 'All others'}</bdi> },
    { heading: 'Reason', cell: ({ entry: { reason } }) => reasonWords(reason) },
    { heading: 'Period', cell: ({ entry }) => periodOf(entry) },
    {
      heading: 'Ship-to locations',
      cell: ({ entry: { shipToLocationCodes } }) => <TextList texts={shipToLocationCodes ?? ['all']} />,
    },
    { heading: 'Note', cell: ({ entry: { note } }) => <bdi>{note ?? ''}</bdi> },
  ],
  sentenceOf,
  named: { nameOf: sentenceOf, valueOf: (exemption) => exemption, entryOf: (_, exemption) => exemption },
  async list(api, signal) {
    const { body, version } = await api.listExemptPlaces({ signal })
    const content = body.content.map(({ place: { exemptions = [], ...place } }) => ({
      owner: placeOf(place),
      entries: exemptions,
    }))
    return { body: { content }, version }
  },
  send: (api, { owner, entries }, version) =>
    api.setExemptPlaces({ body: { places: [{ ...owner, exemptions: [...entries] }] }, ifMatch: version }),
}
