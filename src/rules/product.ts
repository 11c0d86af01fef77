// Rules about product data. Source: §2.2; product description of 21 CFR 1.1310.
import { mergeProduct } from '../contract/completion.ts'
import { ftlCategories, type MasterProduct } from '../contract/product.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isStated } from '../contract/shape/placeholder.ts'
import type { Loose } from '../contract/shape/read-shape.ts'
import { visibleTextRule } from './hidden-characters.ts'
import { assignedRule, checkDigitRule, digitsRule } from './identifier-rules.ts'
import type { PayloadSubject } from './payload.ts'
import { repeatedEntries, repeatedEntrySays } from './repeated-entries.ts'
import { type Rule, rulesAbout, vendorKey } from './rule.ts'
import { repeatedSays, reportRepeated } from './unique-identifiers.ts'

export type ProductSubject = Loose<MasterProduct>

const rule = rulesAbout<ProductSubject>()
const payloadRule = rulesAbout<PayloadSubject>()

const gtin = {
  group: 'product',
  slug: 'gtin',
  field: 'gtin',
  scheme: 'GTIN-14',
  section: '2.2',
  of: (product: ProductSubject) => product,
} as const
const itemUpc = {
  ...gtin,
  slug: 'item-upc',
  field: 'itemUpc',
  scheme: 'GTIN-8, GTIN-12 or GTIN-13',
} as const
const innerPackUpc = {
  ...gtin,
  slug: 'inner-pack-upc',
  field: 'innerPackUpc',
  scheme: 'GTIN-8, GTIN-12, GTIN-13 or GTIN-14',
} as const

export const gtinDigits = digitsRule(gtin)
export const gtinCheckDigit = checkDigitRule(gtin)
export const itemUpcDigits = digitsRule(itemUpc)
export const itemUpcCheckDigit = checkDigitRule(itemUpc)
export const innerPackUpcDigits = digitsRule(innerPackUpc)
export const innerPackUpcCheckDigit = checkDigitRule(innerPackUpc)
export const identifiersAssigned = assignedRule('product', '2.2', [gtin, itemUpc, innerPackUpc])

export const textVisible = visibleTextRule<ProductSubject>('product', '2.2', (product) => product)

/** A product with several codes or vendors has one GTIN, and may share one alternate code. */
const productIdentity = ({ dataProviderVendorId = '', itemCode = '', gtin: number }: ProductSubject): string =>
  isGiven(number) ? number : vendorKey(dataProviderVendorId, itemCode)

export const alternateItemCodeUnique = rule({
  id: 'product/alternate-item-code-unique',
  severity: 'warning',
  cites: '§2.2 alternateItemCode',
  summary: 'No other product has the same `alternateItemCode`.',
  remedy: 'Give every product its own alternate code, or correct the wrong one.',
  needs: ['heldBy'],
  says: repeatedSays('alternateItemCode'),
  check(product, context, report) {
    if (!isGiven(product.alternateItemCode)) return
    const { at, products } = context
    const holders = () =>
      products.map((one) => ({
        at: one.at,
        value: one.value.alternateItemCode ?? '',
        sameAs: productIdentity(one.value),
      }))
    const own = { at, sameAs: productIdentity(product), code: product.itemCode }
    reportRepeated(
      { field: 'alternateItemCode', value: product.alternateItemCode, place: own },
      { entries: products, holdersIn: holders, context, heldBy: context.facts.heldBy },
      report,
    )
  },
})

const weights = [
  ['grossWeight', 'grossWeightUOM'],
  ['netWeight', 'netWeightUOM'],
] as const

export const weightPositive = rule({
  id: 'product/weight-positive',
  severity: 'warning',
  cites: '§2.2 grossWeight, netWeight',
  summary: 'A weight is more than 0.',
  remedy: 'Send the weight of the product, or leave the field out.',
  says: {
    notPositive: (field: string, weight: number) => `${field} is ${weight}; a weight is more than 0.`,
  },
  check(product, { at }, report) {
    for (const [field] of weights) {
      const weight = product[field]
      if (weight !== undefined && weight <= 0)
        report({ pointer: `${at}/${field}`, says: 'notPositive', values: [field, weight] })
    }
  },
})

export const weightUnit = rule({
  id: 'product/weight-unit',
  severity: 'warning',
  cites: '§2.2 grossWeightUOM, netWeightUOM',
  summary: 'A weight has its unit.',
  remedy: 'Send the unit, for example LB, KG or OZ.',
  says: {
    missing: (field: string, weight: number, unitField: string) => `${field} is ${weight} and ${unitField} is missing.`,
    placeholder: (field: string, weight: number, unitField: string, unit: string) =>
      `${field} is ${weight} and ${unitField} is ${JSON.stringify(unit)}.`,
  },
  check(product, { at }, report) {
    for (const [field, unitField] of weights) {
      const weight = product[field]
      if (weight === undefined) continue
      const unit = product[unitField]
      if (isStated(unit)) continue
      const pointer = `${at}/${unitField}`
      if (isGiven(unit)) report({ pointer, says: 'placeholder', values: [field, weight, unitField, unit] })
      else report({ pointer, says: 'missing', values: [field, weight, unitField] })
    }
  },
})

/** Grams in a unit of weight, by its usual spellings in upper case. */
const gramsIn: ReadonlyMap<string, number> = new Map([
  ...['G', 'GM', 'GR', 'GRM', 'GRAM', 'GRAMS'].map((unit) => [unit, 1] as const),
  ...['KG', 'KGS', 'KGM', 'KILO', 'KILOS', 'KILOGRAM', 'KILOGRAMS'].map((unit) => [unit, 1000] as const),
  ...['OZ', 'ONZ', 'OUNCE', 'OUNCES'].map((unit) => [unit, 28.349523125] as const),
  ...['LB', 'LBS', 'LBR', 'POUND', 'POUNDS', '#'].map((unit) => [unit, 453.59237] as const),
])

/** Rounding in a conversion is no contradiction. */
const roundingShare = 0.01

export const netWithinGross = rule({
  id: 'product/net-within-gross',
  severity: 'warning',
  cites: '§2.2 grossWeight, netWeight',
  summary: 'The net weight is at most the gross weight.',
  remedy: 'Compare both weights with the advance ship notice; they may be exchanged.',
  says: {
    above: (net: number, netUnit: string, gross: number, grossUnit: string) =>
      `netWeight is ${net} ${netUnit}, more than grossWeight, ${gross} ${grossUnit}.`,
  },
  check({ grossWeight, grossWeightUOM, netWeight, netWeightUOM }, { at }, report) {
    if (grossWeight === undefined || netWeight === undefined || grossWeight <= 0) return
    if (!isGiven(grossWeightUOM) || !isGiven(netWeightUOM)) return
    const [gross, net] = [grossWeightUOM, netWeightUOM].map((unit) => unit.trim().toUpperCase().replace(/\.$/, ''))
    const [grossGrams, netGrams] = [gramsIn.get(gross ?? ''), gramsIn.get(net ?? '')]
    const isAbove =
      gross === net
        ? netWeight > grossWeight
        : grossGrams !== undefined &&
          netGrams !== undefined &&
          netWeight * netGrams > grossWeight * grossGrams * (1 + roundingShare)
    if (isAbove)
      report({
        pointer: `${at}/netWeight`,
        says: 'above',
        values: [netWeight, netWeightUOM, grossWeight, grossWeightUOM],
      })
  },
})

export const ftlCategoryGiven = rule({
  id: 'product/ftl-category-given',
  severity: 'error',
  cites: '§2.2 ftlCategory',
  summary: 'A product on the Food Traceability List has its category.',
  remedy: `Send ftlCategory, for example one of: ${ftlCategories.join(', ')}.`,
  says: { missing: () => 'isFtlItem is true and ftlCategory is missing.' },
  check(product, { at }, report) {
    if (product.isFtlItem === true && !isGiven(product.ftlCategory))
      report({ pointer: `${at}/ftlCategory`, says: 'missing', values: [] })
  },
})

/** Warns: whether the listed values are a closed set is not known (decision 0005). */
export const ftlCategoryListed = rule({
  id: 'product/ftl-category-listed',
  severity: 'warning',
  cites: '§2.2 ftlCategory',
  summary: '`ftlCategory` is one of the listed values.',
  remedy: `Send one of: ${ftlCategories.join(', ')}.`,
  says: { unlisted: (category: string) => `${JSON.stringify(category)} is not a listed FTL category.` },
  check({ ftlCategory }, { at }, report) {
    if (isGiven(ftlCategory) && !(ftlCategories as readonly string[]).includes(ftlCategory))
      report({ pointer: `${at}/ftlCategory`, says: 'unlisted', values: [ftlCategory] })
  },
})

export const itemCodeConflicting = payloadRule({
  id: 'product/item-code-conflicting',
  severity: 'error',
  cites: '§4.1 productMasterDataList',
  summary: 'No two entries of the product list have one item code and different content.',
  remedy: 'Keep the entry that is right.',
  says: repeatedEntrySays('itemCode', 'other'),
  check(_payload, { products, events }, report) {
    if (events.length > 0) repeatedEntries(products, 'itemCode', false, report)
  },
})

export const itemCodeRepeated = payloadRule({
  id: 'product/item-code-repeated',
  severity: 'warning',
  cites: '§4.1 productMasterDataList',
  summary: 'No two entries of the product list are the same.',
  remedy: 'Send each product once.',
  says: repeatedEntrySays('itemCode', 'the same'),
  check(_payload, { products, events }, report) {
    if (events.length > 0) repeatedEntries(products, 'itemCode', true, report)
  },
})

/**
 * The contract does not call a master product unique per vendor and item code, so a second one is
 * stored with a warning.
 */
export const oneRecordPerItemCode = rule({
  id: 'product/one-record-per-item-code',
  severity: 'warning',
  cites: '§2.2 itemCode',
  summary: 'A vendor has one master product per item code.',
  remedy: 'Replace the record named here instead of keeping two that answer to one code.',
  onScreen: 'Edit the product named here instead of keeping two with one code.',
  needs: ['masterProducts'],
  says: {
    repeated: (firstAt: string) => `The entry at ${firstAt} has the same vendor and item code.`,
    held: (vendor: string, code: string, record: string) =>
      `Vendor ${JSON.stringify(vendor)} has another master product with item code ${JSON.stringify(code)}: record ${record}.`,
  },
  check({ itemCode, dataProviderVendorId }, { at, facts, events, products }, report) {
    if (events.length > 0 || !isGiven(itemCode) || !isGiven(dataProviderVendorId)) return
    const first = products.find(
      ({ value }) => value.itemCode === itemCode && value.dataProviderVendorId === dataProviderVendorId,
    )
    if (first !== undefined && first.at !== at)
      report({ pointer: `${at}/itemCode`, says: 'repeated', values: [first.at] })
    const other = facts.masterProducts.get(vendorKey(dataProviderVendorId, itemCode))
    if (other !== undefined)
      report({ pointer: `${at}/itemCode`, says: 'held', values: [dataProviderVendorId, itemCode, other.id] })
  },
})

/** True for a category of the Food Traceability List. */
const isCategory = (category: string | undefined): category is string =>
  isGiven(category) && (ftlCategories as readonly string[]).includes(category.trim().toLowerCase())

/**
 * Only foods on the list need key data elements. A product counts as one unless it states otherwise
 * without a category of the list.
 */
export const wantsKeyDataElements = ({ isFtlItem, ftlCategory }: ProductSubject): boolean =>
  isFtlItem !== false || isCategory(ftlCategory)

/**
 * The same of an item of an event: the entry, before its master product, says whether the product
 * is on the list.
 */
export const wantsElementsOf = (entry: ProductSubject | undefined, master: ProductSubject | undefined): boolean =>
  wantsKeyDataElements((isGiven(entry?.isFtlItem) ? entry : (master ?? entry)) ?? {})

export const offListWithoutCategory = rule({
  id: 'product/off-list-without-category',
  severity: 'warning',
  cites: '§2.2 isFtlItem',
  summary: 'A product that is not on the Food Traceability List carries no FTL category.',
  remedy: 'Send isFtlItem true, or leave ftlCategory out. Until then the product counts as one on the list.',
  says: { listed: (category: string) => `isFtlItem is false and ftlCategory is ${JSON.stringify(category)}.` },
  check({ isFtlItem, ftlCategory }, { at }, report) {
    if (isFtlItem === false && isCategory(ftlCategory))
      report({ pointer: `${at}/isFtlItem`, says: 'listed', values: [ftlCategory] })
  },
})

type DescriptionField = 'itemDescription' | 'packSize' | 'packStyle' | 'productCommodity'

/** One part of the product description, which has a column in FDA's spreadsheet. */
const descriptionGap = (
  field: DescriptionField,
  slug: string,
  part: string,
  isWanted: (product: ProductSubject) => boolean = () => true,
): Rule<ProductSubject> =>
  rule({
    id: `product/${slug}`,
    severity: 'gap',
    cites: '21 CFR 1.1345(a)(3)',
    summary: `The product description says the ${part}.`,
    remedy: `Send ${field}.`,
    needs: ['masterProducts'],
    says: {
      missing: () => `The product has no ${field}, and so no ${part}.`,
      placeholder: (text: string) => `${field} is ${JSON.stringify(text)}, which states no ${part}.`,
    },
    check(product, { at, vendors, facts, unpackedItems }, report) {
      const text = product[field]
      if (isStated(text) || unpackedItems.has(product.itemCode ?? '')) return
      const lacks = (master: ProductSubject | undefined) => {
        if (!wantsElementsOf(product, master)) return false
        const whole = master === undefined ? product : mergeProduct(product, master)
        return !isStated(whole[field]) && isWanted(whole)
      }
      // The entry of an event is completed with the vendor's master product; a master product is
      // not.
      const lacking = vendors.filter((vendor) =>
        lacks(facts.masterProducts.get(vendorKey(vendor, product.itemCode ?? ''))),
      )
      if (vendors.length > 0 ? lacking.length === 0 : !lacks(undefined)) return
      const pointer = `${at}/${field}`
      const concerned = lacking.length < vendors.length ? lacking : undefined
      if (isGiven(text)) report({ pointer, says: 'placeholder', values: [text], vendors: concerned })
      else report({ pointer, says: 'missing', values: [], vendors: concerned })
    },
  })

/** Categories of fresh produce with one commodity: a mix of fresh-cut produce has several. */
const freshProduce: ReadonlySet<string | undefined> = new Set([
  ...['cucumbers', 'herbs', 'leafy greens', 'melons', 'peppers', 'sprouts', 'tomatoes', 'tropical tree fruits'],
])

function isFreshProduce({ ftlCategory }: ProductSubject): boolean {
  return freshProduce.has(ftlCategory?.trim().toLowerCase())
}

/** Missing fields of the product description. */
export const missingDescriptionFields = (product: ProductSubject): readonly DescriptionField[] =>
  (['itemDescription', 'productCommodity', 'packSize', 'packStyle'] as const).filter(
    (field) => !isStated(product[field]) && (field !== 'productCommodity' || isFreshProduce(product)),
  )

/** Required by the contract: only a placeholder leaves it open. */
export const productName = descriptionGap('itemDescription', 'name', 'product name', (product) =>
  isGiven(product.itemDescription),
)
export const commodity = descriptionGap('productCommodity', 'commodity', 'commodity', isFreshProduce)
export const packagingSize = descriptionGap('packSize', 'packaging-size', 'packaging size')
export const packagingStyle = descriptionGap('packStyle', 'packaging-style', 'packaging style')

const seafood = /^(?:finfish|fish|crustaceans|molluscan shellfish|smoked finfish)\b/i

/** True for fish, crustaceans and shellfish: their category says so, or they have a species. */
export const isSeafood = ({ ftlCategory = '', acceptableSpeciesName, scientificName }: ProductSubject): boolean =>
  seafood.test(ftlCategory.trim()) || isStated(acceptableSpeciesName) || isStated(scientificName)

export const isSprouts = ({ ftlCategory = '' }: ProductSubject): boolean =>
  ftlCategory.trim().toLowerCase() === 'sprouts'

export const statesCommodity = ({ productCommodity, acceptableSpeciesName }: ProductSubject): boolean =>
  isStated(productCommodity) || isStated(acceptableSpeciesName)
