// FDA's sheets of events. Each heading is spelled as there. Source: 21 CFR 1.1325 to 1.1350,
// 1.1455(c)(3); decisions 0036, 0048, 0080, 0090.
import { stringLengthMax } from '../../contract/shape/field.ts'
import { documentPairs } from '../document-columns.ts'
import type { Layout, Meaning } from '../layout.ts'
import { eventTables, productPartOf, receivingTable, shippingTable } from '../template.ts'
import { asField, column, street } from './meanings.ts'

const placeFields = [
  'locationName',
  'phoneNumber',
  'address.streetAddress1',
  'address.city',
  'address.state',
  'address.postalCode',
  'address.country',
]
const sourceColumns = [
  'tlcSourceName',
  'tlcSourcePhoneNumber',
  'tlcSourceAddress1',
  'tlcSourceCity',
  'tlcSourceState',
  'tlcSourcePostalCode',
  'tlcSourceCountry',
]
const locationColumns = (part: string) => placeFields.map((field) => [`${part}.${field}`])

/**
 * The seven columns of a location description under one group of headings, each with the columns
 * that its text fills.
 */
const place = (group: string, columns: readonly (readonly string[])[], state: string, zip: string) => {
  const parts = [
    'Business Name',
    'Phone Number',
    'Street Address or Geographic Coordinates',
    'City',
    state,
    zip,
    'Country',
  ]
  return Object.fromEntries(
    parts.map((part, i) => {
      const [first = '', ...also] = columns[i] ?? []
      return [`${group} - ${part}`, part.startsWith('Street') ? street([first, ...also]) : column(first, ...also)]
    }),
  )
}

const referenceKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/^FFRN\s*:\s*/i, 'tlcSourceReferenceFfrn'],
  [/^FEI\s*:\s*/i, 'tlcSourceReferenceFei'],
  [/^GLN\s*:\s*/i, 'tlcSourceReferenceGln'],
  [/^DUNS\s*:\s*/i, 'tlcSourceReferenceDuns'],
]

/**
 * References to a lot code source, separated by "; ": a number after its kind, a web link, or other
 * text.
 */
function readReferences(text: string): Record<string, string> {
  const read: Record<string, string> = {}
  const others: string[] = []
  for (const one of text.split('; ')) {
    const known = referenceKinds.find(([form]) => form.test(one))
    const kind = known?.[1] ?? (/^https?:\/\//i.test(one) ? 'tlcSourceReferenceUrl' : undefined)
    // The second of a kind joins the others, so that none is lost.
    if (kind === undefined || read[kind] !== undefined) others.push(one)
    else read[kind] = known === undefined ? one : one.replace(known[0], '')
  }
  // Text that is neither a link nor a number of a known kind fills the two fields that take any
  // text.
  const [first = '', ...rest] = others
  if (read.tlcSourceReferenceUrl === undefined && rest.length > 0 && [...others.join('; ')].length > stringLengthMax) {
    read.tlcSourceReferenceUrl = first
    others.shift()
  }
  if (others.length > 0) read.tlcSourceReferenceOther = others.join('; ')
  return read
}

const references: Meaning = {
  read: readReferences,
  tell: (text) =>
    /^(FFRN|FEI|GLN|DUNS)\s*:|; /i.test(text)
      ? {
          kind: 'references',
          says: 'has references with their kind, such as FFRN:14532865782; each is imported into the field of its kind',
        }
      : undefined,
}

/** Kinds and numbers of documents. Events beside deliveries have fields of these names. */
const documentHeadings: Layout['headings'] = {
  'Reference Document Type': asField(documentPairs[0][0]),
  'Reference Document Number': asField(documentPairs[0][1]),
  'Reference Document Type2': asField(documentPairs[1][0]),
  'Reference Document Number2': asField(documentPairs[1][1]),
}

/** The columns of a product description, under the words that begin their headings. */
const describedAs = (words: string, line = '', product = 'product'): Layout['headings'] => ({
  [`${words} - Product Name`]: column(`${line}vendorItemDescription`, `${product}.itemDescription`),
  [`${words} - Brand Name (if applicable)`]: column(`${product}.brandName`),
  [`${words} - Commodity (if applicable)`]: column(`${product}.productCommodity`),
  [`${words} - Variety (if applicable)`]: column(`${product}.productVariety`),
  [`${words} - Packaging Size`]: column(`${product}.packSize`),
  [`${words} - Packaging Style`]: column(`${product}.packStyle`),
})

const quantity: Layout['headings'] = {
  Quantity: column('shipQuantity'),
  'Unit of Measure': column('shipQuantityUom'),
}

/** The first columns after the lot code of deliveries. */
const deliveredFood: Layout['headings'] = { ...quantity, ...describedAs('Product Description') }

const eventPlace = (group: string, part: string): Layout['headings'] =>
  place(group, locationColumns(part), 'State or Region', 'ZIP or Postal Code')

const nextRecipient = eventPlace(
  'Location Description for the Immediate Subsequent Recipient (other than a transporter)',
  'shipTo',
)

/** The last columns of deliveries: the source of the lot code, and the documents. */
const sourceAndDocuments: Layout['headings'] = {
  ...place(
    'Location Description for the Traceability Lot Code Source',
    sourceColumns.map((name) => [name]),
    'State/Region',
    'ZIP/Postal Code',
  ),
  'Traceability Lot Code Source Reference (may be provided instead of the location description for the TLC Source)':
    references,
  ...documentHeadings,
}

const previousSource = eventPlace(
  'Location Description for the Immediate Previous Source (other than a transporter)',
  'shipFrom',
)

const fdaReceiving: Layout = {
  name: "FDA's sheet Receiving",
  table: receivingTable,
  foreign: true,
  marks: ['Traceability Lot Code', 'Date you Received the Food (mm/dd/yyyy)'],
  headings: {
    'Traceability Lot Code': column('caseLotNumber'),
    ...deliveredFood,
    ...previousSource,
    ...eventPlace('Location Description for where the Food was Received', 'shipTo'),
    'Date you Received the Food (mm/dd/yyyy)': column('eventDateTime'),
    ...sourceAndDocuments,
  },
}

const fdaShipping: Layout = {
  name: "FDA's sheet Shipping",
  table: shippingTable,
  foreign: true,
  marks: ['Traceability Lot Code', 'Shipping Date (mm/dd/yyyy)'],
  headings: {
    'Traceability Lot Code': column('caseLotNumber'),
    ...deliveredFood,
    ...nextRecipient,
    ...eventPlace('Location Description for the Location from which you Shipped the Food', 'shipFrom'),
    'Shipping Date (mm/dd/yyyy)': column('eventDateTime'),
    ...sourceAndDocuments,
  },
}

/**
 * Food from a source that the rule exempts: the receiver assigns the lot code and is its source.
 * Source: 21 CFR 1.1345(b).
 */
const fdaReceivingFromExempt: Layout = {
  name: "FDA's sheet Receiving From Exempt",
  table: receivingTable,
  foreign: true,
  note: 'the place of receipt becomes the source of the lot code, 21 CFR 1.1345(b); that the shipper is exempt is declared once for it, and in no event',
  marks: [
    'Traceability Lot Code (which you must assign if one has not already been assigned) (does not apply if you are a Retail Food Establishment or Restaurant)',
    'Receive Date (mm/dd/yyyy)',
  ],
  headings: {
    'Traceability Lot Code (which you must assign if one has not already been assigned) (does not apply if you are a Retail Food Establishment or Restaurant)':
      column('caseLotNumber'),
    ...deliveredFood,
    ...previousSource,
    ...place(
      'Location Description for where the Food was Received (i.e., the Traceability Lot Code Source)',
      placeFields.map((field, i) => [`shipTo.${field}`, sourceColumns[i] ?? '']),
      'State/Region',
      'ZIP/Postal Code',
    ),
    'Traceability Lot Code Source Reference (if applicable)': references,
    'Receive Date (mm/dd/yyyy)': column('eventDateTime'),
    ...documentHeadings,
  },
}

/** The columns of food that is not packed yet, and of the farm that it is from. */
const harvested: Layout['headings'] = {
  ...nextRecipient,
  Commodity: column('product.productCommodity'),
  'Variety (if applicable)': column('product.productVariety'),
  ...quantity,
  ...eventPlace('Location Description for the Farm where the Food was Harvested', 'harvest'),
  ...documentHeadings,
}

const fdaHarvesting: Layout = {
  name: "FDA's sheet Harvesting",
  table: eventTables.harvestingEvent,
  foreign: true,
  marks: ['Commodity', 'Harvest Date (mm/dd/yyyy)'],
  headings: {
    ...harvested,
    'For produce, the name of the field or other growing area from which the food was harvested (which must correspond to the name used by the grower)':
      column('growingAreaName'),
    'For aquacultured food, the name of the container (e.g., pond, pool, tank, cage) from which the food was harvested (which must correspond to the container name used by the aquaculture farmer)':
      column('containerName'),
    'Harvest Date (mm/dd/yyyy)': column('eventDateTime'),
  },
}

const fdaCooling: Layout = {
  name: "FDA's sheet Cooling",
  table: eventTables.coolingEvent,
  foreign: true,
  marks: ['Commodity', 'Cooling Date (mm/dd/yyyy)'],
  headings: {
    ...harvested,
    ...eventPlace('Location Description for where the Food was Cooled', 'cooling'),
    'Cooling Date (mm/dd/yyyy)': column('eventDateTime'),
  },
}

/** "Atlantic cod; Gadus morhua": the market name, and behind the last semicolon the species. */
function readSpecies(text: string): Record<string, string> {
  const at = text.lastIndexOf('; ')
  if (at < 0) return { 'product.acceptableSpeciesName': text }
  return { 'product.acceptableSpeciesName': text.slice(0, at), 'product.scientificName': text.slice(at + 2) }
}

const fdaFirstLandBasedReceiving: Layout = {
  name: "FDA's sheet First Land-Based Receiving",
  table: eventTables.firstLandBasedReceivingEvent,
  foreign: true,
  marks: ['Traceability Lot Code (you assigned)', 'Landing Date (mm/dd/yyyy)'],
  headings: {
    'Traceability Lot Code (you assigned)': column('caseLotNumber'),
    'Species and/or Acceptable Market Name, If the Food is Unpackaged': { read: readSpecies },
    ...describedAs('Product Description, If the Food is Packaged'),
    ...quantity,
    'Harvest Date Start (mm/dd/yyyy)': column('harvestStartDate'),
    'Harvest Date End (mm/dd/yyyy)': column('harvestEndDate'),
    'Harvest Locations For the Trip': column('harvestAreaList'),
    ...eventPlace(
      'Location Description for the First Land-Based Receiver (i.e., the Traceability Lot Code Source)',
      'receiving',
    ),
    'Traceability Lot Code Source Reference (if applicable)': references,
    'Landing Date (mm/dd/yyyy)': column('eventDateTime'),
    ...documentHeadings,
  },
}

const used = 'ingredientList'

const fdaTransformation: Layout = {
  name: "FDA's sheet Transformation",
  table: eventTables.transformationEvent,
  foreign: true,
  marks: [
    'New Traceability Lot Code you assigned to the Food Produced Through Transformation',
    'Transformation Completion Date (mm/dd/yyyy)',
  ],
  headings: {
    'Traceability Lot Code for the FTL Food used in Transformation (if applicable)': column(`${used}.caseLotNumber`),
    ...describedAs(
      'Product Description for the Incoming FTL Food used in Transformation (if applicable)',
      `${used}.`,
      productPartOf(used),
    ),
    'Quantity of the food from this traceability lot that was used in the transformation (if applicable)': column(
      `${used}.shipQuantity`,
    ),
    'Unit of measure for the food from this traceability lot that was used in the transformation (if applicable)':
      column(`${used}.shipQuantityUom`),
    'New Traceability Lot Code you assigned to the Food Produced Through Transformation': column('caseLotNumber'),
    ...place(
      'Location Description for where you Transformed the Food (i.e., the Traceability Lot Code Source)',
      locationColumns('transformation'),
      'State/Region',
      'ZIP/Postal Code',
    ),
    'Traceability Lot Code Source Reference (if applicable)': references,
    'Transformation Completion Date (mm/dd/yyyy)': column('eventDateTime'),
    ...describedAs('Product Description for the Food Produced through Transformation'),
    'Quantity of the Food Produced through Transformation': column('shipQuantity'),
    'Unit of Measure for the Food Produced through Transformation': column('shipQuantityUom'),
    ...documentHeadings,
  },
}

const received = 'receivedList'

/** Food received for packing, the lot packed of it, and the place. */
const packed: Layout['headings'] = {
  'Commodity of the food received': column(`${productPartOf(received)}.productCommodity`),
  'Variety (if applicable) of the food received': column(`${productPartOf(received)}.productVariety`),
  'Receive Date (mm/dd/yyyy)': column(`${received}.receivedDate`),
  'Quantity of the food received': column(`${received}.shipQuantity`),
  'Unit of Measure of the food received': column(`${received}.shipQuantityUom`),
  ...describedAs('Product Description of the Packed Food'),
  ...eventPlace(
    'Location Description for where you Initially Packed the Food (i.e., the Traceability Lot Code Source)',
    'packing',
  ),
  'Traceability Lot Code Source Reference (if applicable)': references,
  'Initial Packing Date (mm/dd/yyyy)': column('eventDateTime'),
  ...documentHeadings,
}

const fdaInitialPacking: Layout = {
  name: "FDA's sheet Initial Packing",
  table: eventTables.initialPackingEvent,
  foreign: true,
  marks: ['Initial Packing Date (mm/dd/yyyy)', 'Harvesting Date (mm/dd/yyyy)'],
  headings: {
    ...packed,
    ...eventPlace('Location Description for the Farm where the Food was Harvested', 'harvest'),
    'For Produce, the Name of the Field or Other Growing Area from which the Food was Harvested (which must correspond to the name used by the grower)':
      column(`${received}.growingAreaName`),
    'For Aquacultured food, the Name of the Container (e.g., pond, pool, tank, cage) from which the Food was Harvested (which must correspond to the container name used by the aquaculture farmer)':
      column(`${received}.containerName`),
    'Harvester Business Name': column(`${received}.harvesterName`),
    'Harvester Phone Number': column(`${received}.harvesterPhoneNumber`),
    'Harvesting Date (mm/dd/yyyy)': column(`${received}.harvestDate`),
    ...eventPlace('Location Description for where the Food was Cooled (if applicable)', 'cooling'),
    'Cooling Date (if applicable) (mm/dd/yyyy)': column(`${received}.coolingDate`),
    'Traceability Lot Code': column('caseLotNumber'),
    'Quantity of Packed Food': column('shipQuantity'),
    'Unit of Measure of Packed Food': column('shipQuantityUom'),
  },
}

/** Its sheet of seeds names neither the packing nor its lots, so no event can be read from it. */
const fdaInitialPackingFromExempt: Layout = {
  name: "FDA's sheet Initial Packing from Exempt",
  table: eventTables.initialPackingEvent,
  foreign: true,
  marks: ['Initial Packing Date (mm/dd/yyyy)', 'Traceability Lot Code (you assigned)'],
  headings: {
    ...packed,
    ...eventPlace('Location Description for the Person from whom you Received the Food', 'exemptSource'),
    'Traceability Lot Code (you assigned)': column('caseLotNumber'),
    'Quantity of the Packed Food': column('shipQuantity'),
    'Unit of Measure of the Packed Food': column('shipQuantityUom'),
  },
}

export const fdaLayouts: readonly Layout[] = [
  fdaReceiving,
  fdaReceivingFromExempt,
  fdaShipping,
  fdaHarvesting,
  fdaCooling,
  fdaFirstLandBasedReceiving,
  fdaTransformation,
  fdaInitialPacking,
  fdaInitialPackingFromExempt,
]
