import * as product from '../../src/rules/product.ts'
import { identifierKey } from '../../src/rules/rule.ts'
import { ftlCategories } from '../samples/contract-fields.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { byVendor, proveGroup, proveRule } from '../support/records/prove-rule.ts'

/** Changes the product of an event payload, or takes fields from it. */
const inEvent =
  (changes: object, ...removed: readonly string[]) =>
  (payload: Json) => {
    const [one] = payload.productMasterDataList
    Object.assign(one, changes)
    for (const field of removed) delete one[field]
  }

/** The same in a master product payload. */
const asMaster =
  (changes: object, ...removed: readonly string[]) =>
  (payload: Json) => {
    Object.assign(payload.productMasterDataList, changes)
    for (const field of removed) delete payload.productMasterDataList[field]
  }

const kind = 'masterProduct'
const first = '/productMasterDataList/0'

proveRule(product.ftlCategoryGiven, {
  accepts: [
    { title: 'a listed food with its category' },
    {
      title: 'a food that is not on the list, without category',
      edit: inEvent({ isFtlItem: false }, 'ftlCategory'),
    },
    { title: 'a product that does not say whether it is listed', edit: inEvent({}, 'isFtlItem', 'ftlCategory') },
  ],
  refuses: [
    {
      title: 'a listed food without category, in an event',
      edit: inEvent({}, 'ftlCategory'),
      at: `${first}/ftlCategory`,
      says: 'isFtlItem is true',
    },
    { title: 'a listed food with a blank category', edit: inEvent({ ftlCategory: '  ' }), at: `${first}/ftlCategory` },
    {
      title: 'a listed food without category, as master product',
      kind,
      edit: asMaster({}, 'ftlCategory'),
      at: '/productMasterDataList/ftlCategory',
    },
  ],
})

proveRule(product.ftlCategoryListed, {
  accepts: [
    ...ftlCategories.map((ftlCategory) => ({
      title: `the listed value ${ftlCategory}`,
      edit: inEvent({ ftlCategory }),
    })),
    {
      title: 'a blank category of a food not on the list',
      edit: inEvent({ isFtlItem: false, ftlCategory: ' ' }),
    },
  ],
  refuses: ['Tomatoes', 'cheese', ' tomatoes', 'constructor'].map((ftlCategory) => ({
    title: `the unlisted value ${JSON.stringify(ftlCategory)}`,
    edit: inEvent({ ftlCategory }),
    at: `${first}/ftlCategory`,
    says: JSON.stringify(ftlCategory),
  })),
})

const wrongDigits =
  (...values: readonly string[]) =>
  (field: string) =>
    values.map((value) => ({
      title: `${field} ${JSON.stringify(value)}`,
      edit: inEvent({ [field]: value }),
      at: `${first}/${field}`,
      says: JSON.stringify(value),
    }))

const rightDigits =
  (...values: readonly string[]) =>
  (field: string) => [
    ...values.map((value) => ({ title: `${field} ${value}`, edit: inEvent({ [field]: value }) })),
    { title: `a product without ${field}`, edit: inEvent({}, field) },
    { title: `a blank ${field}, which counts as absent`, edit: inEvent({ [field]: ' ' }) },
  ]

proveRule(product.gtinDigits, {
  accepts: rightDigits(
    '10614141000415',
    '20614141000412',
  )('gtin').map((one) => ({
    ...one,
    ...(one.title.includes('20614141000412') && { alsoReports: ['product-line/case-gtin-of-product'] }),
  })),
  refuses: wrongDigits(
    '036000291452',
    '1061414100041',
    '106141410004150',
    '1061414100041X',
    '10614141-00041',
    '１０６１４１４１０００４１５',
  )('gtin'),
})

proveRule(product.gtinCheckDigit, {
  accepts: rightDigits('10614141000415')('gtin'),
  refuses: [
    {
      title: 'a wrong last digit, with the right one, in an event',
      edit: inEvent({ gtin: '10614141000416' }),
      at: `${first}/gtin`,
      says: 'gtin 10614141000416 ends in 6; its other digits call for 5.',
    },
    {
      title: 'two digits that changed places, as master product',
      kind,
      edit: asMaster({ gtin: '01614141000415' }),
      at: '/productMasterDataList/gtin',
      says: 'call for 7.',
    },
    {
      title: 'and refuses in strict mode a wrong last digit',
      strict: true,
      edit: inEvent({ gtin: '10614141000410' }),
      at: `${first}/gtin`,
      says: 'call for 5.',
    },
  ],
})

proveRule(product.itemUpcDigits, {
  accepts: rightDigits('96385074', '036000291452', '4006381333931')('itemUpc'),
  refuses: wrongDigits('10614141000415', '1234567', '036000 91452')('itemUpc'),
})

proveRule(product.itemUpcCheckDigit, {
  accepts: rightDigits('96385074', '036000291452', '4006381333931')('itemUpc'),
  refuses: [
    { title: 'a wrong GTIN-8', edit: inEvent({ itemUpc: '96385071' }), at: `${first}/itemUpc`, says: 'call for 4.' },
    { title: 'a wrong GTIN-12', edit: inEvent({ itemUpc: '036000291453' }), at: `${first}/itemUpc`, says: 'for 2.' },
    { title: 'a wrong GTIN-13', edit: inEvent({ itemUpc: '4006381333939' }), at: `${first}/itemUpc`, says: 'for 1.' },
  ],
})

proveRule(product.innerPackUpcDigits, {
  accepts: rightDigits('96385074', '036000291452', '4006381333931', '10614141000415')('innerPackUpc'),
  refuses: wrongDigits('123456789', '1234567890', '106141410004150', '4006381333931 ')('innerPackUpc'),
})

proveRule(product.innerPackUpcCheckDigit, {
  accepts: rightDigits('96385074', '10614141000415')('innerPackUpc'),
  refuses: [
    {
      title: 'a wrong last digit, with the right one',
      edit: inEvent({ innerPackUpc: '4006381333932' }),
      at: `${first}/innerPackUpc`,
      says: 'ends in 2; its other digits call for 1.',
    },
  ],
})

const second = (changes: object) => (payload: Json) => {
  const [one] = payload.productMasterDataList
  payload.productMasterDataList.push({ ...one, ...changes })
}

proveRule(product.itemCodeConflicting, {
  accepts: [
    { title: 'two products with different codes', edit: second({ itemCode: 'TOM-2' }) },
    {
      title: 'an empty list',
      edit: (payload) => payload.productMasterDataList.pop(),
      alsoReports: ['product-line/item-code-listed', 'product-line/product-description'],
    },
    { title: 'the same entry twice', edit: second({}), alsoReports: ['product/item-code-repeated'] },
    { title: 'codes that differ in case', edit: second({ itemCode: 'tom-1' }) },
  ],
  refuses: [
    {
      title: 'two entries with one item code that differ in a field',
      edit: second({ brandName: 'Other' }),
      at: '/productMasterDataList/1/itemCode',
      says: 'itemCode "TOM-1" is already used at /productMasterDataList/0',
    },
    {
      title: 'each further entry that differs from the first',
      edit: (payload) => {
        second({ packSize: '10 lb' })(payload)
        second({ packSize: '9 lb' })(payload)
      },
      at: ['/productMasterDataList/1/itemCode', '/productMasterDataList/2/itemCode'],
    },
  ],
})

proveRule(product.itemCodeRepeated, {
  accepts: [
    { title: 'two products with different codes', edit: second({ itemCode: 'TOM-2' }) },
    {
      title: 'master products of two vendors with one code in one create',
      kind,
      edit: (payload) => {
        const one = payload.productMasterDataList
        payload.productMasterDataList = [one, { ...one, dataProviderVendorId: 'V-2' }]
      },
    },
  ],
  refuses: [
    {
      title: 'the same entry twice',
      edit: second({}),
      at: '/productMasterDataList/1/itemCode',
      says: 'is already used at /productMasterDataList/0, with the same content',
    },
    {
      title: 'the same entry twice with its fields in another order',
      edit: (payload) => {
        const fields = Object.entries(payload.productMasterDataList[0]).reverse()
        payload.productMasterDataList.push(Object.fromEntries(fields))
      },
      at: '/productMasterDataList/1/itemCode',
    },
  ],
})

proveRule(product.oneRecordPerItemCode, {
  accepts: [
    { title: 'a code no other record has', kind },
    { title: 'a code another vendor has', kind, facts: { masterProducts: byVendor(['V-2', 'TOM-1', { id: 'r-1' }]) } },
    {
      title: 'a product of an event that is also a master product',
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', { id: 'r-1' }]) },
    },
  ],
  refuses: [
    {
      title: 'a second master product of the vendor with one code, and names the first',
      kind,
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', { id: 'r-1' }]) },
      at: '/productMasterDataList/itemCode',
      says: 'record r-1',
    },
    {
      title: 'a create that names one code of a vendor twice, and says where first',
      kind,
      edit: (payload) => {
        const one = payload.productMasterDataList
        payload.productMasterDataList = [one, { ...one, dataProviderVendorId: 'V-2' }, { ...one, packSize: '9 lb' }]
      },
      at: '/productMasterDataList/2/itemCode',
      says: 'The entry at /productMasterDataList/0 has the same vendor and item code.',
    },
  ],
})

const inForce = (fields: object) => ({ masterProducts: byVendor(['V-1', 'TOM-1', { id: 'r-1', ...fields }]) })

proveRule(product.packagingSize, {
  accepts: [
    { title: 'a product with packSize' },
    {
      title: 'a product that is not on the list',
      edit: inEvent({ isFtlItem: false }, 'packSize', 'packStyle', 'ftlCategory'),
    },
    {
      title: 'an entry whose master product says packSize',
      edit: inEvent({}, 'packSize'),
      facts: inForce({ packSize: '25 LB' }),
    },
    {
      title: 'an entry whose master product is off the list',
      edit: inEvent({}, 'packSize', 'isFtlItem', 'ftlCategory'),
      facts: inForce({ isFtlItem: false }),
    },
  ],
  refuses: [
    { title: 'a listed product without packSize', edit: inEvent({}, 'packSize'), at: `${first}/packSize` },
    {
      title: 'an entry on the list whose master product is off it',
      edit: inEvent({}, 'packSize'),
      facts: inForce({ isFtlItem: false }),
      at: `${first}/packSize`,
    },
    {
      title: 'an entry that the master product of another vendor would fill',
      edit: inEvent({}, 'packSize'),
      facts: { masterProducts: byVendor(['V-2', 'TOM-1', { id: 'r-1', packSize: '25 LB' }]) },
      at: `${first}/packSize`,
    },
    { title: 'a blank packSize', edit: inEvent({ packSize: '' }), at: `${first}/packSize` },
    {
      title: 'a placeholder in packSize, with its text',
      edit: inEvent({ packSize: 'See label' }),
      at: `${first}/packSize`,
      says: 'packSize is "See label", which states no packaging size.',
    },
    {
      title: 'a product that says it is not listed and names its category',
      edit: inEvent({ isFtlItem: false }, 'packSize'),
      at: `${first}/packSize`,
      alsoReports: ['product/off-list-without-category'],
    },
    {
      title: 'a product that does not say whether it is listed',
      kind,
      edit: asMaster({}, 'packSize', 'isFtlItem'),
      at: '/productMasterDataList/packSize',
    },
    {
      title: 'and never refuses, even in strict mode, a product without packSize',
      strict: true,
      edit: inEvent({}, 'packSize'),
      at: `${first}/packSize`,
    },
  ],
})

proveRule(product.packagingStyle, {
  accepts: [
    { title: 'a product with packStyle' },
    {
      title: 'a master product that is not on the list',
      kind,
      edit: asMaster({ isFtlItem: false }, 'packStyle', 'ftlCategory'),
    },
  ],
  refuses: [
    { title: 'a listed product without packStyle', edit: inEvent({}, 'packStyle'), at: `${first}/packStyle` },
    { title: 'a placeholder in packStyle', edit: inEvent({ packStyle: 'N.A.' }), at: `${first}/packStyle` },
  ],
})

const heldCode = (code: string) => ({
  heldBy: new Map([[identifierKey('alternateItemCode', 'urn:x:1', code), 'r-1']]),
})

proveRule(product.alternateItemCodeUnique, {
  accepts: [
    { title: 'a code of its own', kind, edit: asMaster({ alternateItemCode: 'urn:x:1' }) },
    {
      title: 'one product of one GTIN under two vendors',
      kind,
      edit: (payload) => {
        const one = { ...payload.productMasterDataList, alternateItemCode: 'urn:x:1' }
        payload.productMasterDataList = [one, { ...one, dataProviderVendorId: 'V-2', itemCode: 'TOM-9' }]
      },
    },
  ],
  refuses: [
    {
      title: 'a code that another record has',
      kind,
      edit: asMaster({ alternateItemCode: 'urn:x:1' }),
      facts: heldCode('TOM-1'),
      at: '/productMasterDataList/alternateItemCode',
      says: 'alternateItemCode "urn:x:1" is that of record r-1.',
    },
    {
      title: 'a code of two products of an event',
      edit: (payload) => {
        const [one] = payload.productMasterDataList
        one.alternateItemCode = 'urn:x:1'
        payload.productMasterDataList.push({ ...one, itemCode: 'TOM-2', gtin: '10614141000521' })
      },
      at: '/productMasterDataList/1/alternateItemCode',
      says: 'is already used at /productMasterDataList/0.',
    },
  ],
})

proveRule(product.weightPositive, {
  accepts: [
    {
      title: 'weights above 0',
      edit: inEvent({ grossWeight: 0.1, grossWeightUOM: 'LB', netWeight: 0.1, netWeightUOM: 'LB' }),
    },
    { title: 'a product without weights' },
  ],
  refuses: [
    {
      title: 'a weight of 0',
      edit: inEvent({ netWeight: 0, netWeightUOM: 'LB' }),
      at: `${first}/netWeight`,
      says: 'netWeight is 0',
    },
    {
      title: 'weights below 0, each',
      kind,
      edit: asMaster({ grossWeight: -2, grossWeightUOM: 'KG', netWeight: -0.5, netWeightUOM: 'KG' }),
      at: ['/productMasterDataList/grossWeight', '/productMasterDataList/netWeight'],
    },
  ],
})

proveRule(product.weightUnit, {
  accepts: [
    { title: 'a weight with its unit', edit: inEvent({ grossWeight: 12, grossWeightUOM: 'lbs.' }) },
    { title: 'a unit without weight', edit: inEvent({ grossWeightUOM: 'LB' }) },
  ],
  refuses: [
    {
      title: 'weights without unit, each',
      edit: inEvent({ grossWeight: 12, netWeight: 11, netWeightUOM: ' ' }),
      at: [`${first}/grossWeightUOM`, `${first}/netWeightUOM`],
      says: 'grossWeight is 12 and grossWeightUOM is missing.',
    },
    {
      title: 'a placeholder for the unit',
      edit: inEvent({ grossWeight: 12, grossWeightUOM: 'n/a' }),
      at: `${first}/grossWeightUOM`,
      says: 'grossWeightUOM is "n/a"',
    },
  ],
})

const weighing = (grossWeight: number, grossWeightUOM: string, netWeight: number, netWeightUOM: string) =>
  inEvent({ grossWeight, grossWeightUOM, netWeight, netWeightUOM })

proveRule(product.netWithinGross, {
  accepts: [
    { title: 'a net weight below the gross weight', edit: weighing(13, 'LB', 12, 'LB') },
    { title: 'the same weight', edit: weighing(12, 'LB', 12, 'lb') },
    { title: 'a larger number of a smaller unit', edit: weighing(6, 'KG', 12, 'LBS') },
    { title: 'a conversion that was rounded', edit: weighing(6.8, 'KG', 15, 'LB') },
    { title: 'units nobody can compare', edit: weighing(1, 'case', 12, 'LB') },
    {
      title: 'a net weight without unit, which is another finding',
      edit: inEvent({ grossWeight: 1, grossWeightUOM: 'LB', netWeight: 2 }),
      alsoReports: ['product/weight-unit'],
    },
  ],
  refuses: (
    [
      [12, 'LB', 13, 'lb'],
      [5, 'KG', 12, 'LB'],
      [100, 'OZ', 10, 'pounds'],
      [1, 'kg', 1020, 'g'],
      [1, 'crate', 2, 'Crate'],
    ] as const
  ).map(([gross, grossUnit, net, netUnit]) => ({
    title: `${net} ${netUnit} net, ${gross} ${grossUnit} gross`,
    edit: weighing(gross, grossUnit, net, netUnit),
    at: `${first}/netWeight`,
    says: `netWeight is ${net} ${netUnit}, more than grossWeight, ${gross} ${grossUnit}.`,
  })),
})

proveRule(product.identifiersAssigned, {
  accepts: [
    { title: 'numbers that were assigned' },
    { title: 'blank numbers', edit: inEvent({ gtin: ' ', itemUpc: '' }) },
  ],
  refuses: [
    {
      title: 'numbers of zeros, each, and nothing else of them',
      edit: inEvent({ gtin: '0'.repeat(14), itemUpc: '0'.repeat(12), innerPackUpc: '0'.repeat(8) }),
      at: [`${first}/gtin`, `${first}/itemUpc`, `${first}/innerPackUpc`],
      says: 'gtin is "00000000000000"',
    },
    {
      title: 'a number of nines, whose check digit is not told besides',
      kind,
      edit: asMaster({ gtin: '9'.repeat(14) }),
      at: '/productMasterDataList/gtin',
    },
  ],
})

proveRule(product.productName, {
  accepts: [
    { title: 'a product with its name' },
    ...['None Such Tomatoes', 'NA Organics vine tomatoes', 'X-tra large'].map((itemDescription) => ({
      title: `the name ${itemDescription}`,
      edit: inEvent({ itemDescription }),
    })),
    {
      title: 'a blank name, which is an error',
      edit: inEvent({ itemDescription: '' }),
      alsoReports: ['shape/required'],
    },
    {
      title: 'a placeholder of a product that is not on the list',
      edit: inEvent({ itemDescription: 'n/a', isFtlItem: false }, 'ftlCategory'),
    },
  ],
  refuses: [
    ...['n/a', 'Unknown', '???', 'see invoice'].map((itemDescription) => ({
      title: `the name ${itemDescription}`,
      edit: inEvent({ itemDescription }),
      at: `${first}/itemDescription`,
      says: `itemDescription is "${itemDescription}", which states no product name.`,
    })),
    {
      title: 'the same of a master product',
      kind,
      edit: asMaster({ itemDescription: '-' }),
      at: '/productMasterDataList/itemDescription',
    },
  ],
})

proveRule(product.commodity, {
  accepts: [
    { title: 'fresh produce with its commodity' },
    ...['soft cheese', 'fresh-cut vegetables', 'finfish', 'multiple-ftl-ingredients'].map((ftlCategory) => ({
      title: `${ftlCategory}, which is no single commodity of fresh produce`,
      edit: inEvent({ ftlCategory }, 'productCommodity'),
    })),
    { title: 'a product without category', edit: inEvent({}, 'ftlCategory', 'isFtlItem', 'productCommodity') },
    {
      title: 'produce that is not on the list',
      edit: inEvent({ isFtlItem: false }, 'ftlCategory', 'productCommodity'),
    },
  ],
  refuses: [
    ...['tomatoes', 'leafy greens', 'tropical tree fruits', 'Melons'].map((ftlCategory) => ({
      title: `${ftlCategory} without commodity`,
      edit: inEvent({ ftlCategory }, 'productCommodity'),
      at: `${first}/productCommodity`,
      says: 'The product has no productCommodity, and so no commodity.',
      alsoReports: ftlCategory === 'Melons' ? ['product/ftl-category-listed'] : [],
    })),
    {
      title: 'a placeholder for the commodity',
      kind,
      edit: asMaster({ productCommodity: 'TBA' }),
      at: '/productMasterDataList/productCommodity',
      says: '"TBA"',
    },
  ],
})

proveRule(product.offListWithoutCategory, {
  accepts: [
    { title: 'a product on the list with its category' },
    { title: 'a product off the list without one', edit: inEvent({ isFtlItem: false }, 'ftlCategory') },
    { title: 'a product that does not say', edit: inEvent({}, 'isFtlItem') },
    {
      title: 'a category that is none of the list',
      edit: inEvent({ isFtlItem: false, ftlCategory: 'none' }),
      alsoReports: ['product/ftl-category-listed'],
    },
  ],
  refuses: [
    {
      title: 'a product off the list with a category of it',
      edit: inEvent({ isFtlItem: false }),
      at: `${first}/isFtlItem`,
      says: 'isFtlItem is false and ftlCategory is "tomatoes".',
    },
    {
      title: 'the same of a master product',
      kind,
      edit: asMaster({ isFtlItem: false }),
      at: '/productMasterDataList/isFtlItem',
    },
  ],
})

proveRule(product.textVisible, {
  accepts: [
    { title: 'a name in Hebrew with marks of direction', edit: inEvent({ brandName: 'מלפפונים \u200f(A)\u200f' }) },
    { title: 'a name with an emoji of several parts', edit: inEvent({ brandName: 'Farm 👩‍🌾❤️' }) },
  ],
  refuses: [
    {
      title: 'a zero width space in the code of a master product',
      kind,
      edit: asMaster({ itemCode: 'TOM\u200b-1' }),
      at: '/productMasterDataList/itemCode',
      says: 'Character 4 of itemCode is U+200B ZERO WIDTH SPACE, which cannot be seen.',
    },
  ],
})

proveGroup('product')
