// Which product lines FDA asked for. Source: 21 CFR 1.1455(c)(3); decision 0029.
import { given } from '../../contract/field.ts'
import { gtin14Of, readGs1Lot } from '../../contract/gs1-text.ts'
import { isSameLot, readLotCode } from '../../contract/lot-code.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import type { Loose } from '../../contract/read-shape.ts'
import type { Place } from './places.ts'

/** What a line has to have: one value of each list that is given. */
export interface LineFilters {
  readonly lotCode?: readonly string[] | undefined
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
  readonly source: Place
}

type Texts = readonly (string | undefined)[]

/** What a line says of each filter. */
const said: Readonly<Record<keyof LineFilters, (line: LineWithContext) => Texts>> = {
  lotCode: ({ line }) => [line.caseLotNumber],
  itemCode: ({ line }) => [line.vendorItemCode, line.purchaserItemCode],
  gtin: ({ line, product }) => [line.caseGtin, product.gtin, readGs1Lot(line.caseLotNumber ?? '')?.gtin],
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

/** Lot codes are read first (decision 0049), other codes compared exactly; categories, sources and words of people without case. */
const fits: Readonly<Record<keyof LineFilters, (text: string, wanted: string) => boolean>> = {
  lotCode: (text, wanted) => isSameLot(readLotCode(text), readLotCode(wanted)),
  itemCode: isExactly,
  gtin: (text, wanted) => gtin(text) === gtin(wanted),
  ftlCategory: isPlainly,
  productText: (text, wanted) => plain(text).includes(plain(wanted)),
  tlcSource: isPlainly,
}

const names = Object.keys(said) as (keyof LineFilters)[]

/** True when any filter looks at the lines of an event, so that some of them may not fit. */
export const filtersLines = (filters: LineFilters): boolean => names.some((name) => filters[name] !== undefined)

/** True of a line that fits every filter. */
export const isChosen = (line: LineWithContext, filters: LineFilters): boolean =>
  names.every((name) => {
    const wanted = filters[name]
    if (wanted === undefined) return true
    const texts = said[name](line).filter(given)
    return wanted.some((one) => texts.some((text) => fits[name](text, one)))
  })
