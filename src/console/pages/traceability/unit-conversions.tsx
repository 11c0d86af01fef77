// How much of one unit another is, by item: quantities of a lot are then compared in one unit.
import type { EqualUnit, NewUnitConversion } from '../../../client/generated/shapes.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { type DeclaredEntries, DeclaredEntriesEditor } from '../../parts/records/declared-entries.tsx'

export const UnitConversionsPage = () => (
  <>
    <PageHead title="Unit conversions">
      <p class="quiet">
        How many pieces or pounds a case is. What was made, used and shipped of a lot is then compared in one unit.
        Quantities in units that nobody declared here are listed side by side. No record changes.
      </p>
    </PageHead>
    <DeclaredEntriesEditor of={conversions} />
  </>
)

type Item = Pick<NewUnitConversion, 'itemCode' | 'dataProviderVendorId'>

const itemOf = ({ itemCode, dataProviderVendorId }: Item): Item => ({
  ...(itemCode && { itemCode }),
  ...(dataProviderVendorId && { dataProviderVendorId }),
})

/** Between the units in the name of an entry: `case → each`. */
const between = ' → '

const sentenceOf = ({ unit, quantity, inUnit }: EqualUnit): string => `1 ${unit} = ${quantity} ${inUnit}`

const conversions: DeclaredEntries<Item, EqualUnit, number> = {
  label: 'Unit conversions',
  noun: 'conversion',
  nouns: 'conversions',
  none: { title: 'No conversion is set', meaning: 'Quantities are compared where their units are the same.' },
  form: {
    title: 'Set a conversion',
    words: 'Set conversion',
    busyWords: 'Setting…',
    fields: [
      { name: 'itemCode', label: 'Item code (optional)', placeholder: 'All items', spellcheck: false },
      {
        is: 'value',
        name: 'dataProviderVendorId',
        of: 'dataProviderVendorId',
        label: 'Vendor (optional)',
        placeholder: 'Any vendor',
        hint: 'Without a vendor, the conversion applies to this item code at every vendor.',
      },
      { name: 'unit', label: 'One', required: true, placeholder: 'case', spellcheck: false },
      { name: 'quantity', label: 'is', type: 'number', min: '0', step: 'any', required: true, placeholder: '24' },
      { name: 'inUnit', label: 'of', required: true, placeholder: 'each', spellcheck: false },
    ],
    read: ({ unit = '', quantity, inUnit = '', ...item }) => ({
      owner: itemOf(item),
      entry: { unit, quantity: Number(quantity), inUnit },
    }),
  },
  columns: [
    { heading: 'Item', cell: ({ owner: { itemCode } }) => (itemCode ? <bdi>{itemCode}</bdi> : 'All items') },
    {
      heading: 'Vendor',
      cell: ({ owner: { dataProviderVendorId } }) => (dataProviderVendorId ? <bdi>{dataProviderVendorId}</bdi> : 'all'),
    },
    { heading: 'Conversion', cell: ({ entry }) => <bdi>{sentenceOf(entry)}</bdi> },
  ],
  sentenceOf,
  named: {
    nameOf: ({ unit, inUnit }) => unit + between + inUnit,
    valueOf: ({ quantity }) => quantity,
    entryOf(name, quantity) {
      const [unit = '', inUnit = ''] = name.split(between)
      return { unit, quantity, inUnit }
    },
  },
  async list(api, signal) {
    const { body, version } = await api.listUnitConversions({ signal })
    const content = body.content.map(({ conversion: { units = [], ...item } }) => ({
      owner: itemOf(item),
      entries: units,
    }))
    return { body: { content }, version }
  },
  send: (api, { owner, entries }, version) =>
    api.setUnitConversions({ body: { conversions: [{ ...owner, units: [...entries] }] }, ifMatch: version }),
}
