// Web addresses that show who assigned a lot code, for labels and files: opened for chosen
// locations.
import type { NewSourceAddress } from '../../../client/generated/shapes.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { type DeclaredEntries, DeclaredEntriesEditor } from '../../parts/records/declared-entries.tsx'

export const SourceAddressesPage = () => (
  <>
    <PageHead title="Source addresses">
      <p class="quiet">
        A web address that shows business name, phone number and address of one location to everybody who knows it (21
        CFR 1.1310). Print it or send it in place of the source of the lot code. It shows no records.
      </p>
    </PageHead>
    <DeclaredEntriesEditor of={sourceAddresses} />
  </>
)

interface Owner {
  readonly name: string
}

interface Shown {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  /** Absent until it is set. */
  readonly path?: string
}

/** Nobody guesses 22 random characters. */
const randomName = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const sentenceOf = ({ dataProviderVendorId, locationCode }: Shown): string =>
  `${locationCode} of ${dataProviderVendorId}`

const placeOf = ({ dataProviderVendorId, locationCode }: Shown) => ({ dataProviderVendorId, locationCode })

const sourceAddresses: DeclaredEntries<Owner, Shown, ReturnType<typeof placeOf>> = {
  label: 'Source addresses',
  noun: 'source address',
  nouns: 'source addresses',
  none: {
    title: 'No address is open',
    meaning: 'Records name the sources of lot codes by their location, or by a number such as a GLN.',
  },
  form: {
    title: 'Open an address',
    words: 'Open address',
    busyWords: 'Opening…',
    fields: [
      { is: 'value', name: 'dataProviderVendorId', of: 'dataProviderVendorId', label: 'Vendor', required: true },
      { name: 'locationCode', label: 'Location code', required: true, spellcheck: false },
      {
        name: 'name',
        label: 'Last part of the address',
        hint: 'Random characters keep it private. Write a name if everybody may see the location.',
        required: true,
        spellcheck: false,
        maxLength: 64,
      },
    ],
    values: () => ({ name: randomName() }),
    read: ({ name = '', dataProviderVendorId = '', locationCode = '' }) => ({
      owner: { name },
      entry: { dataProviderVendorId, locationCode },
    }),
  },
  columns: [
    { heading: 'Vendor', cell: ({ entry }) => <bdi>{entry.dataProviderVendorId}</bdi> },
    { heading: 'Location', cell: ({ entry }) => <bdi>{entry.locationCode}</bdi> },
    {
      heading: 'Address',
      cell: ({ entry: { path = '' } }) => (
        <a href={path} target="_blank" rel="noreferrer">
          {location.origin + path}
        </a>
      ),
    },
  ],
  sentenceOf,
  named: { nameOf: sentenceOf, valueOf: placeOf, entryOf: (_, place) => place },
  async list(api, signal) {
    const { body, version } = await api.listSourceAddresses({ signal })
    const content = body.content.map(({ address, path }) => ({
      owner: { name: address.name },
      entries: [{ ...placeOf(address as Shown), path }],
    }))
    return { body: { content }, version }
  },
  // An address shows one location: the one that was set last.
  send: (api, { owner, entries }, version) => {
    const last = entries.at(-1)
    const address: NewSourceAddress = { ...owner, ...(last && placeOf(last)) }
    return api.setSourceAddresses({ body: { addresses: [address] }, ifMatch: version })
  },
}
