// Places to which the rule does not apply: a setting beside the records. Not shown in the contract;
// decided in 0093.
import { NewExemptPlace } from '../../contract/exempt-place.ts'
import { list, object } from '../../contract/shape/field.ts'
import { setOutcome, settingsListed } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Places that one call sets. */
const placesPerCallMax = 200

const NewExemptPlaces = object('NewExemptPlaces', {
  places: list(
    NewExemptPlace,
    {
      meaning: 'Places and their exemptions, each place once.',
      example: [
        { dataProviderVendorId: 'V-1001', exemptions: [{ reason: 'smallProduceFarm', startDate: '2026-01-01' }] },
      ],
      section: '2.4',
    },
    { minItems: 1, maxItems: placesPerCallMax },
  ),
})

const shared = {
  path: '/exempt-places',
  cites: '21 CFR 1.1305, 1.1345(b); decision 0093',
  topic: 'exempt places',
  headers: [],
  query: {},
} as const

const listExemptPlaces = {
  ...shared,
  ...taggedRead,
  name: 'listExemptPlaces',
  method: 'GET',
  summary: 'Lists the places to which the rule does not apply, with the reasons.',
  description:
    'An entry without a location is that of all ship-from locations of its vendor that have no entry of their own.',
  role: 'reader',
  outcomes: {
    unmodified,
    listed: settingsListed('ExemptPlace', 'place', NewExemptPlace),
  },
} as const satisfies Operation

const setExemptPlaces = {
  ...shared,
  headers: conditionHeaders,
  name: 'setExemptPlaces',
  method: 'PUT',
  summary: 'Sets places to which the rule does not apply: what is received from them has fewer gaps.',
  description:
    'Each entry replaces all exemptions of its place, and other places keep theirs. No record changes. Receipts from such a place are in the sheet `Receiving From Exempt` of the files for FDA, or in that of farm, ad hoc or school purchases. What paragraph (a) of 21 CFR 1.1345 wants beyond (b) is then no gap. Completeness is counted again, which takes a moment. An entry with a location decides alone for it, also after its last day.',
  role: 'administrator',
  body: NewExemptPlaces,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, a place is listed twice, or two of its exemptions overlap. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All places are set.', 'ExemptPlacesSet'),
  },
} as const satisfies Operation

export const exemptPlaceOperations = { listExemptPlaces, setExemptPlaces }
