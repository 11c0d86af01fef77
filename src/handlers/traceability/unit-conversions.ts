// Lists and sets how much of one unit another is, by item.
import type { Static } from 'typebox'
import { isGiven } from '../../contract/shape/field.ts'
import { type NewUnitConversion, unitConversionKey } from '../../contract/unit-conversion.ts'
import { unitConversionOperations } from '../../operations/traceability/unit-conversions.ts'
import { declaredSettingsOf } from '../../store/base/declared-settings.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { type ItemOfLine, repeatedUnit, UnitConversions } from '../../tracing/unit-conversions.ts'
import { listDeclared, nothingSet, setDeclared } from '../base/declared-settings.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const kind = 'unitConversion'

/** The conversions of these items that are in force. */
export async function unitConversionsOf(
  store: Queryable,
  provider: string,
  items: readonly ItemOfLine[],
): Promise<UnitConversions> {
  const keys = items.flatMap(({ itemCode, dataProviderVendorId }) => [
    unitConversionKey({ itemCode, dataProviderVendorId }),
    unitConversionKey({ itemCode }),
  ])
  const declared = await declaredSettingsOf<NewUnitConversion>(store, provider, kind, [...new Set(keys)])
  return new UnitConversions(declared.map(({ value }) => value))
}

const listUnitConversions =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const { version, content } = await listDeclared(store, provider, kind, 'conversion')
    return { outcome: 'listed', version, body: { content } }
  }

const setUnitConversions =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(unitConversionOperations.setUnitConversions.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { conversions } = call.body.value as Static<typeof unitConversionOperations.setUnitConversions.body>
    return setDeclared(context, call, conversions, {
      kind,
      nouns: 'conversions',
      settingOf: (conversion) => ({
        key: unitConversionKey(conversion),
        value: (conversion.units ?? []).length > 0 ? conversion : undefined,
      }),
      wordsOf: itemWords,
      faultOf,
    })
  }

function itemWords(key: string): string {
  if (key === '') return 'all items'
  const [item, vendor] = JSON.parse(key) as readonly string[]
  return `item ${JSON.stringify(item)}${vendor === undefined ? '' : ` of vendor ${JSON.stringify(vendor)}`}`
}

/** Why conversions cannot be set. */
function faultOf({ itemCode, dataProviderVendorId, units = [] }: NewUnitConversion, whose: string): string | undefined {
  if (itemCode !== undefined && !isGiven(itemCode))
    return 'An itemCode is blank. Name the item, or omit the field for all items.'
  if (dataProviderVendorId !== undefined && (itemCode === undefined || !isGiven(dataProviderVendorId)))
    return 'A dataProviderVendorId is blank or has no itemCode. Name both the item and its vendor, or omit the vendor.'
  for (const { unit, quantity, inUnit } of units) {
    if (!isGiven(unit) || !isGiven(inUnit)) return `A unit of ${whose} is blank. Name both units, e.g. case and each.`
    if (!(quantity > 0 && quantity <= quantityMax))
      return `quantity of ${whose} is ${quantity}. It must be more than 0 and at most ${quantityMax.toLocaleString('en-US')}, e.g. 24.`
  }
  const again = repeatedUnit(units)
  return (
    again &&
    `The other conversions of ${whose} say already how much of ${JSON.stringify(again.inUnit)} one ${JSON.stringify(again.unit)} is. Say it once.`
  )
}

const quantityMax = 1_000_000_000

export const unitConversionHandlers = { listUnitConversions, setUnitConversions }
