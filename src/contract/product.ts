// Product data: reference data of one product, the same in both payloads but for the vendor.
// Source: §2.2.
import type { Static } from 'typebox'
import { boolean, type FieldSays, number, object, optional, text } from './shape/field.ts'

/** Listed values of `ftlCategory`. Not known to be a closed set. Source: §2.2. */
export const ftlCategories = [
  'soft cheese',
  'shell eggs',
  'nut butter',
  'cucumbers',
  'herbs',
  'leafy greens',
  'melons',
  'peppers',
  'sprouts',
  'tomatoes',
  'tropical tree fruits',
  'fresh-cut fruits',
  'fresh-cut vegetables',
  'finfish',
  'smoked finfish',
  'crustaceans',
  'molluscan shellfish',
  'ready-to-eat deli salads',
  'multiple-ftl-ingredients',
] as const

const section = '2.2'

/** Other names of an item code, for every field that holds one. */
export const itemCodeSynonyms = [
  'item',
  'itemNumber',
  'itemNo',
  'itemId',
  'sku',
  'productCode',
  'productNumber',
  'code',
] as const

/** The fields both payloads share. */
const productFields = {
  itemCode: text({
    meaning: 'Vendor or purchaser item code referenced by events or the product.',
    example: 'ROM-24',
    section,
    synonyms: [...itemCodeSynonyms, 'vendorItemCode'],
  }),
  itemDescription: text({
    meaning: 'Product description from the product owner or original purchase order.',
    example: 'Romaine hearts 24 ct',
    section,
    synonyms: [
      'description',
      'name',
      'itemName',
      'productName',
      'productDescription',
      'vendorItemDescription',
      'title',
    ],
  }),
  businessUnit: optional(text({ meaning: 'Business unit of the product.', example: 'Produce West', section })),
  alternateItemCode: optional(
    text({
      meaning:
        'Alternate identifier, unique per product and shared between shipper and receiver (a URL, a UUID or another globally unique scheme).',
      example: 'https://id.example.com/01/10614141000415',
      section,
      synonyms: ['alternateCode', 'alternateId'],
    }),
  ),
  gtin: optional(
    text({
      meaning: 'Case-level GTIN-14.',
      example: '10614141000415',
      section,
      synonyms: ['gtin14', 'caseGtin', 'caseGtin14'],
    }),
  ),
  itemUpc: optional(
    text({
      meaning: 'Item-level UPC; GTIN-8, GTIN-12 or GTIN-13.',
      example: '614141000418',
      section,
      synonyms: ['upc', 'ean', 'gtin12', 'gtin13'],
    }),
  ),
  innerPackUpc: optional(
    text({
      meaning: 'Point-of-sale barcode; GTIN-8, GTIN-12, GTIN-13 or GTIN-14.',
      example: '0614141000418',
      section,
      synonyms: ['innerUpc', 'innerPackGtin'],
    }),
  ),
  plu: optional(
    text({ meaning: 'Item-level price look-up code.', example: '4640', section, synonyms: ['pluCode', 'itemPlu'] }),
  ),
  isFtlItem: optional(
    boolean({
      meaning: 'Whether the product is on the Food Traceability List.',
      example: true,
      section,
      synonyms: ['ftl', 'isFtl', 'ftlItem', 'onFtl', 'isOnFtl'],
    }),
  ),
  ftlCategory: optional(
    text({
      meaning: 'Food Traceability List category.',
      example: 'leafy greens',
      section,
      synonyms: ['category'],
      requiredWhen: 'the product is on the Food Traceability List',
      listed: ftlCategories,
    }),
  ),
  brandName: optional(
    text({ meaning: 'Brand on the consumer package.', example: 'Green Valley', section, synonyms: ['brand'] }),
  ),
  packStyle: optional(
    text({
      meaning: 'Pack style, e.g. case, carton, tray, clamshell.',
      example: 'carton',
      section,
      synonyms: ['packType', 'packageType', 'packagingStyle', 'packaging'],
    }),
  ),
  packSize: optional(
    text({
      meaning: 'Packaging configuration, or count, or weight plus unit of measure.',
      example: '24 x 10 oz',
      section,
      synonyms: ['size', 'packagingSize', 'packConfiguration'],
    }),
  ),
  productCommodity: optional(
    text({
      meaning: 'Fresh produce: commodity description.',
      example: 'Romaine lettuce',
      section,
      synonyms: ['commodity'],
    }),
  ),
  productVariety: optional(
    text({
      meaning: 'Fresh produce: variety, when applicable.',
      example: 'Parris Island',
      section,
      synonyms: ['variety'],
    }),
  ),
  scientificName: optional(
    text({ meaning: 'Seafood: scientific species name.', example: 'Thunnus albacares', section }),
  ),
  acceptableSpeciesName: optional(
    text({ meaning: 'Seafood: common species name.', example: 'Yellowfin tuna', section }),
  ),
  isCoveredByGdst: optional(
    boolean({
      meaning: 'Product is part of the seafood traceability dialogue requirements.',
      example: false,
      section,
    }),
  ),
  grossWeight: optional(
    number({
      meaning:
        'Total weight including all packaging, pallets, cartons and containers, as recorded on the advance ship notice.',
      example: 18.5,
      section,
      synonyms: ['weightGross'],
      unit: 'grossWeightUOM',
    }),
  ),
  grossWeightUOM: optional(text({ meaning: 'Unit of `grossWeight` (e.g. LB, KG, OZ).', example: 'LB', section })),
  netWeight: optional(
    number({
      meaning: 'Weight of the product itself excluding packaging, as recorded on the advance ship notice.',
      example: 15,
      section,
      synonyms: ['weightNet', 'weight'],
      unit: 'netWeightUOM',
    }),
  ),
  netWeightUOM: optional(text({ meaning: 'Unit of `netWeight` (e.g. LB, KG, OZ).', example: 'LB', section })),
}

/** The vendor's id, as every record that belongs to a vendor carries it. */
export const dataProviderVendorId = (at: string) =>
  text({
    meaning: "Data provider's id for the vendor/supplier.",
    example: 'V-1001',
    section: at,
    synonyms: ['vendor', 'vendorId', 'vendorCode', 'vendorNumber', 'supplier', 'supplierId', 'supplierCode'],
  })

export const dataProviderVendorName = (at: string) =>
  text({
    meaning: 'Vendor/supplier name.',
    example: 'Green Valley Farms',
    section: at,
    synonyms: ['vendorName', 'supplierName'],
  })

/** Element of `productMasterDataList` in a receiving event payload: no vendor fields. */
export const Product = object('Product', productFields)
export type Product = Static<typeof Product>

/** The declaration of a field that holds a master product. */
export const masterProductSays: FieldSays = {
  meaning: 'The master product.',
  example: { itemCode: 'ROM-24', itemDescription: 'Romaine hearts 24 ct', dataProviderVendorId: 'V-1001' },
  section,
}

/** `productMasterDataList` of a master product payload: the same fields, and the vendor. */
export const MasterProduct = object(
  'MasterProduct',
  {
    ...productFields,
    dataProviderVendorId: dataProviderVendorId(section),
    dataProviderVendorName: optional(dataProviderVendorName(section)),
  },
  masterProductSays,
)
export type MasterProduct = Static<typeof MasterProduct>
