// The product lines that FDA asked for. Source: 21 CFR 1.1455(c)(3); decision 0029.

import { canBeOfItem, gtinsOf } from '../../contract/line-item.ts'
import { readsLike } from '../../contract/lots/alike-lots.ts'
import { isSameLot, type LotCodeReading, readLotCode } from '../../contract/lots/lot-code.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import { gtin14Of } from '../../contract/text/gs1-text.ts'
import type { PlaceTexts } from './places.ts'

/** The filters: a line matches if it has one value of each list. */
export interface LineFilters extends ValueFilters {
  /** Texts that name lots (decision 0049). */
  readonly lotCode?: readonly string[] | undefined
  /** True to include lot codes that only read like one of them. */
  readonly readAlike?: boolean | undefined
}

/** Filters that compare texts of the line with given values. */
interface ValueFilters {
  readonly itemCode?: readonly string[] | undefined
  readonly gtin?: readonly string[] | undefined
  readonly ftlCategory?: readonly string[] | undefined
  readonly productText?: readonly string[] | undefined
  readonly tlcSource?: readonly string[] | undefined
}

/** A line, its product completed with master data, and the place of its lot code source. */
interface LineWithContext {
  readonly line: ProductLine
  readonly product: Loose<MasterProduct>
  readonly source: PlaceTexts
}

type Texts = readonly (string | undefined)[]

/** The values of a line for each filter. */
const textsOf: Readonly<Record<keyof ValueFilters, (line: LineWithContext) => Texts>> = {
  itemCode: ({ line }) => [line.vendorItemCode, line.purchaserItemCode],
  gtin: ({ line, product }) => gtinsOf(line, product),
  ftlCategory: ({ product }) => [product.ftlCategory],
  productText: ({ line, product }) => [
    line.vendorItemDescription,
    product.itemDescription,
    product.brandName,
    product.productCommodity,
    product.productVariety,
    product.acceptableSpeciesName,
    product.scientificName,
  ],
  tlcSource: ({ line, source }) => [
    source.name,
    line.tlcSourceReferenceGln,
    line.tlcSourceReferenceDuns,
    line.tlcSourceReferenceFfrn,
    line.tlcSourceReferenceFei,
    line.tlcSourceReferenceUrl,
    line.tlcSourceReferenceOther,
  ],
}

const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase()
const gtin = (text: string): string => gtin14Of(text.trim()) ?? text
const isExactly = (text: string, wanted: string) => text === wanted
const isPlainly = (text: string, wanted: string) => plain(text) === plain(wanted)

/** Codes are compared exactly; categories, sources and free text without case. */
const fits: Readonly<Record<keyof ValueFilters, (text: string, wanted: string) => boolean>> = {
  itemCode: isExactly,
  gtin: (text, wanted) => gtin(text) === gtin(wanted),
  ftlCategory: isPlainly,
  productText: (text, wanted) => plain(text).includes(plain(wanted)),
  tlcSource: isPlainly,
}

const names = Object.keys(textsOf) as (keyof ValueFilters)[]

/** True when a filter is about lines, so that some lines of an event may not match. */
export const filtersLines = (filters: LineFilters): boolean =>
  filters.lotCode !== undefined || names.some((name) => filters[name] !== undefined)

/** True when a line matches every filter. */
export const isChosen = (line: LineWithContext, filters: LineFilters): boolean =>
  (isOfLots(line, filters) || (filters.readAlike === true && isAlike(line, filters))) && fitsValues(line, filters)

/**
 * True when a line matches every filter except that its lot code only reads like a requested one.
 */
export const isChosenAlike = (line: LineWithContext, filters: LineFilters): boolean =>
  isAlike(line, filters) && !isOfLots(line, filters) && fitsValues(line, filters)

function isOfLots({ line, product }: LineWithContext, { lotCode }: LineFilters): boolean {
  if (lotCode === undefined) return true
  const read = readLotCode(line.caseLotNumber ?? '')
  return lotCode.map(readLotCode).some((wanted) => {
    if (!isSameLot(read, wanted)) return false
    return wanted.gtin === undefined || canBeOfItem(line, product, wanted.gtin)
  })
}

function isAlike({ line }: LineWithContext, { lotCode }: LineFilters): boolean {
  if (lotCode === undefined || !isGiven(line.caseLotNumber)) return false
  const read = readLotCode(line.caseLotNumber)
  return comparisons(lotCode).some((isAlike) => isAlike(read))
}

/** The requested lots, prepared once for all lines. */
const prepared = new WeakMap<readonly string[], readonly ((read: LotCodeReading) => boolean)[]>()

function comparisons(lotCodes: readonly string[]) {
  const known = prepared.get(lotCodes) ?? lotCodes.map(readLotCode).map(readsLike)
  prepared.set(lotCodes, known)
  return known
}

const fitsValues = (line: LineWithContext, filters: LineFilters): boolean =>
  names.every((name) => {
    const wanted = filters[name]
    if (wanted === undefined) return true
    const texts = textsOf[name](line).filter(isGiven)
    return wanted.some((one) => texts.some((text) => fits[name](text, one)))
  })
