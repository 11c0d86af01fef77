// Web addresses of sources of traceability lot codes: a setting beside the records. Not shown in
// the contract; decided in 0100.
import { list, object } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { NewSourceAddress, sourceAddressPath } from '../../contract/source-address.ts'
import { setOutcome, settingsListed } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Addresses that one call sets. */
const addressesPerCallMax = 200

const NewSourceAddresses = object('NewSourceAddresses', {
  addresses: list(
    NewSourceAddress,
    {
      meaning: 'Addresses and the locations they show, each address once.',
      example: [{ name: 'k3Zp8vQm1TtRwXy7LdN0sA', dataProviderVendorId: 'V-1001', locationCode: 'GV-COOLER-1' }],
      section: '2.4',
    },
    { minItems: 1, maxItems: addressesPerCallMax },
  ),
})

const shared = {
  path: '/source-addresses',
  cites: '21 CFR 1.1310; decision 0100',
  topic: 'source addresses',
  headers: [],
  query: {},
} as const

const listSourceAddresses = {
  ...shared,
  ...taggedRead,
  name: 'listSourceAddresses',
  method: 'GET',
  summary: 'Lists the web addresses that show the source of a lot code.',
  description:
    'Each shows one location to everybody who knows the address, for `tlcSourceReferenceUrl` of product lines and for labels.',
  role: 'reader',
  outcomes: {
    unmodified,
    listed: settingsListed('SourceAddress', 'address', NewSourceAddress, {
      path: Type.String({
        description: `Path of the address below that of the service: \`${sourceAddressPath}/…\`.`,
      }),
    }),
  },
} as const satisfies Operation

const setSourceAddresses = {
  ...shared,
  headers: conditionHeaders,
  name: 'setSourceAddresses',
  method: 'PUT',
  summary: 'Opens and closes web addresses that show the source of a lot code.',
  description:
    'Each entry replaces the location of its address, and other addresses keep theirs. An address shows the location description of 21 CFR 1.1310 from current master data, without a key: business name, phone number, address or coordinates. It shows no records, lots or vendors.',
  role: 'administrator',
  body: NewSourceAddresses,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or an address is listed twice. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All addresses are set.', 'SourceAddressesSet'),
  },
} as const satisfies Operation

export const sourceAddressOperations = { listSourceAddresses, setSourceAddresses }
