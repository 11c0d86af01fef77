import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue, ruleOf } from '../../src/rules/catalogue.ts'
import * as chain from '../../src/rules/event.ts'
import * as chainLine from '../../src/rules/event-line.ts'
import * as dates from '../../src/rules/line-dates.ts'
import * as location from '../../src/rules/location.ts'
import * as lotCode from '../../src/rules/lot-code.ts'
import * as payload from '../../src/rules/payload.ts'
import * as product from '../../src/rules/product.ts'
import * as line from '../../src/rules/product-line.ts'
import * as event from '../../src/rules/receiving-event.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { shapeRules } from '../../src/rules/shape.ts'
import * as shipping from '../../src/rules/shipping-event.ts'

const ids = catalogue.map(({ id }) => id)

const isRule = (value: unknown): value is Rule<never> =>
  typeof value === 'object' && value !== null && 'severity' in value && 'check' in value

describe('the catalogue', () => {
  it('holds every rule that a rules file declares', () => {
    const declared = [location, payload, product, lotCode, line, dates, event, shipping, chain, chainLine].flatMap(
      (room) => Object.values(room).filter(isRule),
    )
    expect(ids.slice().sort()).toEqual([...declared, ...Object.values(shapeRules)].map(({ id }) => id).sort())
  })

  it('holds no id twice', () => {
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('finds every rule by its id, and none by another', () => {
    for (const rule of catalogue) expect(ruleOf(rule.id)).toBe(rule)
    for (const id of ['', 'shape', 'product/no-such-rule', 'constructor', '__proto__'])
      expect(ruleOf(id)).toBeUndefined()
  })

  it('keeps the shape rules under their own ids', () => {
    for (const [id, rule] of Object.entries(shapeRules)) expect(rule.id).toBe(id)
  })

  it.each([...new Set(ids.map((id) => id.split('/')[0] ?? ''))])(
    'has a test file that proves the group %s',
    (group) => {
      const path = group === 'shape' ? '../contract/read-shape.test.ts' : `${group}.test.ts`
      const file = new URL(path, import.meta.url)
      expect(existsSync(file), `${path} exists`).toBe(true)
      expect(readFileSync(file, 'utf8')).toContain(`proveGroup('${group}')`)
    },
  )
})

describe.each(catalogue.map((rule) => ({ ...rule })))('rule $id', ({ id, severity, cites, summary, remedy }) => {
  it('has an id of the form group/what-holds', () => {
    expect(id).toMatch(
      /^(shape|payload|product|location|receiving-event|shipping-event|event|product-line)\/[a-z]+(-[a-z]+)*$/,
    )
  })
  it('cites a section of the contract, or a paragraph of 21 CFR', () => {
    expect(cites).toMatch(/^(§[124](\.[1-5])?( |,|$)|21 CFR \d+\.\d+(\([a-z0-9]+\))*$|§8)/)
  })
  it('says in sentences what holds and what to do', () => {
    for (const words of [summary, remedy]) {
      expect(words).toMatch(/^[A-Z`][^\n]*\.$/)
      expect(words).not.toMatch(/ {2}|\.\.$|undefined/)
    }
    expect(summary).not.toBe(remedy)
  })
  it('cites 21 CFR exactly when it is a gap', () => {
    expect(cites.startsWith('21 CFR')).toBe(severity === 'gap')
  })
})

describe('severities, as decided', () => {
  const idsOf = (severity: string) =>
    catalogue
      .filter((rule) => rule.severity === severity)
      .map(({ id }) => id)
      .sort()

  it('refuses for what the contract requires: fields, counts of digits and letters, references, identification', () => {
    expect(idsOf('error')).toEqual([
      'event/line-location-listed',
      'event/location-listed',
      'event/one-event-per-identity',
      'location/code-conflicting',
      'location/duns-digits',
      'location/geo-one-form',
      'location/gln-digits',
      'location/identified',
      'location/one-record-per-code',
      'location/phone-with-address',
      'location/two-locations',
      'product-line/case-gtin-digits',
      'product-line/country-letters',
      'product-line/item-upc-digits',
      'product-line/lot-number-given',
      'product-line/pallet-id-digits',
      'product-line/tlc-source-duns-digits',
      'product-line/tlc-source-given',
      'product-line/tlc-source-gln-digits',
      'product/ftl-category-given',
      'product/gtin-digits',
      'product/inner-pack-upc-digits',
      'product/item-code-conflicting',
      'product/item-upc-digits',
      'receiving-event/carrier-code-letters',
      'receiving-event/one-payload-per-event-date-time',
      'receiving-event/ship-from-listed',
      'receiving-event/ship-to-listed',
      'shape/address',
      'shape/date',
      'shape/date-time',
      'shape/grant',
      'shape/length',
      'shape/list-maximum',
      'shape/list-minimum',
      'shape/message-type',
      'shape/number',
      'shape/place',
      'shape/record-id',
      'shape/required',
      'shape/text',
      'shape/type',
      'shape/unknown-field',
      'shipping-event/carrier-code-letters',
      'shipping-event/one-event-per-documents',
      'shipping-event/ship-from-listed',
      'shipping-event/ship-to-listed',
    ])
  })

  it('warns of what is not known to be enforced: formats, listed values, check digits, codes in no list, reuse', () => {
    expect(idsOf('warning')).toEqual([
      'event/date-local',
      'event/event-dates',
      'event/event-id-unique',
      'event/event-in-past',
      'event/line-dates',
      'event/lots-differ',
      'event/one-origin',
      'event/text-visible',
      'event/years-plausible',
      'location/alternate-location-code-unique',
      'location/code-repeated',
      'location/coordinates-form',
      'location/fence-form',
      'location/gln-assigner-listed',
      'location/gln-check-digit',
      'location/identifiers-assigned',
      'location/phone-format',
      'location/text-visible',
      'location/type-listed',
      'payload/payload-id-unique',
      'payload/text-visible',
      'payload/transmission-date-plausible',
      'payload/transmission-date-time-form',
      'product-line/case-gtin-check-digit',
      'product-line/case-gtin-of-product',
      'product-line/country-known',
      'product-line/good-after-made',
      'product-line/good-at-event',
      'product-line/good-at-receipt',
      'product-line/good-at-shipment',
      'product-line/identifiers-assigned',
      'product-line/item-code-listed',
      'product-line/item-upc-check-digit',
      'product-line/lot-code-barcode',
      'product-line/made-before-event',
      'product-line/made-before-receipt',
      'product-line/made-before-shipment',
      'product-line/made-in-order',
      'product-line/one-lot',
      'product-line/pallet-id-check-digit',
      'product-line/product-id-unique',
      'product-line/quantity-positive',
      'product-line/text-visible',
      'product-line/tlc-source-fei-form',
      'product-line/tlc-source-ffrn-form',
      'product-line/tlc-source-gln-check-digit',
      'product-line/tlc-source-url-form',
      'product-line/years-plausible',
      'product/alternate-item-code-unique',
      'product/ftl-category-listed',
      'product/gtin-check-digit',
      'product/identifiers-assigned',
      'product/inner-pack-upc-check-digit',
      'product/item-code-repeated',
      'product/item-upc-check-digit',
      'product/net-within-gross',
      'product/off-list-without-category',
      'product/one-record-per-item-code',
      'product/text-visible',
      'product/weight-positive',
      'product/weight-unit',
      'receiving-event/date-received-local',
      'receiving-event/ends-differ',
      'receiving-event/event-id-unique',
      'receiving-event/lading-quantity-positive',
      'receiving-event/ordered-before-receipt',
      'receiving-event/received-in-past',
      'receiving-event/text-visible',
      'receiving-event/years-plausible',
      'shipping-event/date-shipped-local',
      'shipping-event/ends-differ',
      'shipping-event/event-id-unique',
      'shipping-event/lading-quantity-positive',
      'shipping-event/ordered-before-shipment',
      'shipping-event/shipped-in-past',
      'shipping-event/text-visible',
      'shipping-event/years-plausible',
    ])
  })

  it('shows as gaps the key data elements of 21 CFR 1.1325 to 1.1350', () => {
    expect(idsOf('gap')).toEqual([
      'event/commodity-stated',
      'event/date-given',
      'event/element-stated',
      'event/line-element-stated',
      'event/location-description',
      'event/reference-document',
      'event/seeds-stated',
      'product-line/lot-code',
      'product-line/product-description',
      'product-line/quantity-unit',
      'product-line/tlc-source-place',
      'product/commodity',
      'product/name',
      'product/packaging-size',
      'product/packaging-style',
      'receiving-event/date-received',
      'receiving-event/reference-document',
      'receiving-event/ship-from-description',
      'receiving-event/ship-to-description',
      'shipping-event/date-shipped',
      'shipping-event/reference-document',
      'shipping-event/ship-from-description',
      'shipping-event/ship-to-description',
    ])
  })
})
