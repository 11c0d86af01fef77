// How much of one unit another is, by item: quantities of a lot are then compared in one unit.
import { useState } from 'preact/hooks'
import type { EqualUnit, NewUnitConversion, UnitConversion } from '../../../client/generated/shapes.ts'
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

export function UnitConversionsPage() {
  const { own, api } = useOpenSession()
  const maySet = useMay('administrator')
  const asked = useVersionedAnswer((api, signal) => api.listUnitConversions({ signal }))
  const known = asked.is === 'answered' ? asked.value : undefined
  const remove = async ({ conversion, equal }: Row) => {
    try {
      const units = (conversion.units ?? []).filter((one) => one !== equal)
      const body = { conversions: [{ ...conversion, units }] }
      await api.setUnitConversions({ body, ifMatch: known?.version ?? 0 })
      say(`${sentenceOf(equal)}: removed`)
      asked.again()
    } catch (error) {
      say(failureSentence(error), 'failed')
      if (isStale(error)) asked.again()
    }
  }
  return (
    <>
      <PageHead title="Unit conversions">
        <p class="quiet">
          How many pieces or pounds a case is. What was made, used and shipped of a lot is then compared in one unit.
          Quantities in units that nobody declared here are listed side by side. No record changes.
        </p>
      </PageHead>
      {maySet ? (
        <SetConversion known={known} onSet={asked.again} />
      ) : (
        <p class="callout">Only an administrator key can set conversions. Yours is a {own.role} key.</p>
      )}
      <When asked={asked} what="the conversions">
        {({ content }) => {
          const rows = content.flatMap(({ conversion }) =>
            (conversion.units ?? []).map((equal): Row => ({ conversion, equal })),
          )
          return rows.length === 0 ? (
            <Empty title="No conversion is set">
              <p>Quantities are compared where their units are the same.</p>
            </Empty>
          ) : (
            <DataTable
              label="Unit conversions"
              columns={[
                ...columns,
                maySet && {
                  heading: 'Change',
                  isAction: true,
                  cell: (row) => (
                    <button type="button" onClick={() => remove(row)}>
                      Remove<span class="hidden"> {sentenceOf(row.equal)}</span>
                    </button>
                  ),
                },
              ]}
              rows={rows}
              keyOf={({ conversion, equal }) => JSON.stringify([keyOf(conversion), equal])}
            />
          )
        }}
      </When>
    </>
  )
}

interface Row {
  readonly conversion: NewUnitConversion
  readonly equal: EqualUnit
}

const sentenceOf = ({ unit, quantity, inUnit }: EqualUnit): string => `1 ${unit} = ${quantity} ${inUnit}`

const columns: readonly Column<Row>[] = [
  { heading: 'Item', cell: ({ conversion: { itemCode } }) => (itemCode ? <bdi>{itemCode}</bdi> : 'All items') },
  {
    heading: 'Vendor',
    cell: ({ conversion: { dataProviderVendorId } }) =>
      dataProviderVendorId ? <bdi>{dataProviderVendorId}</bdi> : 'all',
  },
  { heading: 'Conversion', cell: ({ equal }) => <bdi>{sentenceOf(equal)}</bdi> },
]

interface Known {
  readonly content: readonly UnitConversion[]
  readonly version: number
}

type Item = Pick<NewUnitConversion, 'itemCode' | 'dataProviderVendorId'>

const itemOf = ({ itemCode, dataProviderVendorId }: Item): Item => ({
  ...(itemCode && { itemCode }),
  ...(dataProviderVendorId && { dataProviderVendorId }),
})

const keyOf = (item: Item): string => JSON.stringify(itemOf(item))

/**
 * Quantities by units, such as `case → each`: two people who add one each are not in each other's
 * way.
 */
type Quantities = Readonly<Record<string, number>>

const between = ' → '
const quantitiesIn = ({ content }: Known, item: Item): Quantities => {
  const { units = [] } = content.find(({ conversion }) => keyOf(conversion) === keyOf(item))?.conversion ?? {}
  return Object.fromEntries(units.map(({ unit, quantity, inUnit }) => [unit + between + inUnit, quantity]))
}
const unitsOf = (quantities: Quantities): EqualUnit[] =>
  Object.entries(quantities).map(([units, quantity]) => {
    const [unit = '', inUnit = ''] = units.split(between)
    return { unit, quantity, inUnit }
  })

const fields: readonly SettingField[] = [
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
]

interface SetProps {
  /** The conversions that the page shows; undefined until they are loaded. */
  readonly known: Known | undefined
  readonly onSet: () => void
}

function SetConversion({ known, onSet }: SetProps) {
  const { api } = useOpenSession()
  const { conflict, save, settle } = useGuardedSave<Quantities>()
  /** What was typed when somebody else changed the item, and what was then chosen of both. */
  const [typed, setTyped] = useState<Item & EqualUnit>()
  const [chosen, setChosen] = useState<Quantities>()
  const send = async (text: (name: string) => string, form: HTMLFormElement) => {
    const item = itemOf({ itemCode: text('itemCode'), dataProviderVendorId: text('dataProviderVendorId') })
    const equal: EqualUnit = { unit: text('unit'), quantity: Number(text('quantity')), inUnit: text('inUnit') }
    const seen = known ?? { content: [], version: 0 }
    const read = quantitiesIn(seen, item)
    const before = chosen !== undefined && typed !== undefined && keyOf(typed) === keyOf(item) ? chosen : read
    const isSet = await save(
      { content: read, version: seen.version },
      { ...before, [equal.unit + between + equal.inUnit]: equal.quantity },
      {
        entry: keyOf(item),
        send: (sent, version) =>
          api.setUnitConversions({ body: { conversions: [{ ...item, units: unitsOf(sent) }] }, ifMatch: version }),
        read: async () => {
          const { body, version = 0 } = await api.listUnitConversions()
          return { content: quantitiesIn({ ...body, version }, item), version }
        },
      },
    )
    setTyped(isSet ? undefined : { ...item, ...equal })
    if (!isSet) return
    setChosen(undefined)
    say(`${sentenceOf(equal)} is set`)
    form.reset()
    onSet()
  }
  if (conflict !== undefined)
    return (
      <EditConflict
        noun="conversion"
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
      aria-labelledby="set-conversion"
      words="Set conversion"
      busyWords="Setting…"
      onSend={send}
    >
      <h2 id="set-conversion">Set a conversion</h2>
      <SettingFields form="conversion" fields={fields} values={{ ...typed }} />
    </Form>
  )
}
