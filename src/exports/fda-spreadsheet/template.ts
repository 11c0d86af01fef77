// The sheets and headings of FDA's template of the electronic sortable spreadsheet (June 2024), one declaration for all of them.
// Doubled and trailing spaces, slashes and line breaks are FDA's own and are kept: who compares finds the same text.
// Source: 21 CFR 1.1455(c)(3).

/** Sheets of the template that explain the others; what stands in them is the sender's own. */
export const introductionSheet = 'Introduction'
export const definitionsSheet = 'Definitions'
export const definitionsHeadings = ['Food Traceability Rule Term', 'Definition'] as const

export interface TemplateHeading {
  readonly heading: string
  /** What FDA writes below the heading in the same cell; empty where it writes nothing. */
  readonly hint: string
}

export interface TemplateSheet {
  readonly name: string
  readonly headings: readonly TemplateHeading[]
}

/** The text of a heading cell: the heading, a blank line, the hint. */
export const headingCell = ({ heading, hint }: TemplateHeading): string =>
  hint === '' ? heading : `${heading}\n\n${hint}`

/** The heading on one line, for where a line break is in the way. */
export const headingLine = ({ heading }: TemplateHeading): string =>
  heading
    .split('\n')
    .map((line) => line.trim())
    .join(' ')

/** A heading alone, or with its hint. */
type Column = string | readonly [heading: string, hint: string]

const read = (column: Column): readonly [heading: string, hint: string] =>
  typeof column === 'string' ? [column, ''] : column

const sheet = (name: string, columns: readonly Column[]): TemplateSheet => ({
  name,
  headings: columns.map((column) => {
    const [heading, hint] = read(column)
    return { heading, hint }
  }),
})

/** Columns whose headings begin with the name of their group. */
const under = (group: string, columns: readonly Column[]): readonly Column[] =>
  columns.map((column) => {
    const [heading, hint] = read(column)
    return [group + heading, hint]
  })

/** The seven columns of a location description, where they are spelled the usual way. */
const place = (group: string, name: string, phone: string, street: string): readonly Column[] =>
  under(group, [
    ['Business Name', name],
    ['Phone Number', phone],
    ['Street Address or Geographic Coordinates', street],
    'City',
    'State or Region',
    'ZIP or Postal Code',
    'Country',
  ])

/** One sheet per critical tracking event, in the order of the template. */
export const eventSheets: readonly TemplateSheet[] = [
  sheet('Harvesting', [
    ...under('Location Description for the Immediate Subsequent Recipient (other than a transporter) - \n', [
      ['Business Name ', '(Name of the Company Operating the Location Receiving the Food)'],
      ['Phone Number', '(Phone Number to Call the Location Receiving the Food)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Actual Location Where the Food is Received)',
      ],
      'City',
      'State or Region',
      'ZIP or Postal Code',
      'Country',
    ]),
    ['Commodity', '(e.g., Melon, Lettuce, aquaculture Shrimp)'],
    ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Whiteleg Shrimp)'],
    ['Quantity ', '(e.g., 75, 200)'],
    ['Unit of Measure', '(e.g., bins, pounds)'],
    ...place(
      'Location Description for the Farm where the Food was Harvested - \n',
      '(Name of the Company Operating the Farm where the food was harvested)',
      '(Phone Number to Call the Farm where the food was harvested)',
      '(Street Address or Geographic Coordinates for the Farm where the Food was Harvested)',
    ),
    'For produce, the name of the field or other growing area from which the food was harvested (which must correspond to the name used by the grower)',
    'For aquacultured food, the name of the container (e.g., pond, pool, tank, cage) from which the food was harvested (which must correspond to the container name used by the aquaculture farmer)',
    'Harvest Date\n(mm/dd/yyyy)',
    ['Reference Document Type', '(e.g., Harvest log, invoice, sales receipt)'],
    ['Reference Document Number', '(e.g., Entries 395-402, INV 750A, No. 23-10284)'],
    ['Reference Document Type2', "(Additional reference document type related to this food's harvest - if needed)"],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Cooling', [
    ...under('Location Description for the Immediate Subsequent Recipient (other than a transporter) - \n', [
      ['Business Name ', '(Name of the Company Operating the Location Receiving the Food)'],
      ['Phone Number', '(Phone Number to Call the Location Receiving the Food)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Actual Location Where the Food is Received)',
      ],
      'City',
      'State or Region',
      'ZIP or Postal Code',
      'Country',
    ]),
    ['Commodity', '(e.g., Melon, Lettuce, aquaculture Shrimp)'],
    ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Whiteleg Shrimp)'],
    ['Quantity', '(e.g., 75, 200)'],
    ['Unit of Measure', '(e.g., bins, pounds)'],
    ...place(
      'Location Description for where the Food was Cooled - \n',
      '(Name of the Company Operating the Location that cooled the food)',
      '(Phone Number to Call the Location that cooled the food)',
      '(Street Address or Geographic Coordinates of the Actual Location where the Food was Cooled)',
    ),
    'Cooling Date\n(mm/dd/yyyy)',
    ...place(
      'Location Description for the Farm where the Food was Harvested - \n',
      '(Name of the Company Operating the Farm where the food was harvested)',
      '(Phone Number to Call the Farm where the food was harvested)',
      '(Street Address or Geographic Coordinates for the Farm where the Food was Harvested)',
    ),
    ['Reference Document Type', '(e.g., Production log, Work Order)'],
    ['Reference Document Number', '(e.g., Entries 395-402, WO-719-2043)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the cooling of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Initial Packing', [
    ['Commodity of the food received', '(e.g., Melon, Lettuce, aquaculture Shrimp)'],
    ['Variety (if applicable) of the food received', '(e.g., Small White Honeydew, Romaine, Whiteleg Shrimp)'],
    'Receive Date\n(mm/dd/yyyy)',
    ['Quantity of the food received', '(e.g., 75, 200)'],
    ['Unit of Measure of the food received', '(e.g., bins, pounds)'],
    ...place(
      'Location Description for the Farm where the Food was Harvested - \n',
      '(Name of the Company Operating the Farm where the food was harvested)',
      '(Phone Number to Call the Farm where the food was harvested)',
      '(Street Address or Geographic Coordinates for the Farm where the Food was Harvested)',
    ),
    'For Produce, the Name of the Field or Other Growing Area from which the Food was Harvested (which must correspond to the name used by the grower)',
    'For Aquacultured food, the Name of the Container (e.g., pond, pool, tank, cage) from which the Food was Harvested (which must correspond to the container name used by the aquaculture farmer)',
    'Harvester Business Name',
    'Harvester Phone Number',
    'Harvesting Date\n(mm/dd/yyyy)',
    [
      'Location Description for where the Food was Cooled (if applicable) - \nBusiness Name',
      '(Name of the Company Operating the Location that cooled the food)',
    ],
    ...under('Location Description for where the Food was Cooled  (if applicable) - \n', [
      ['Phone Number', '(Phone Number to Call the Location that cooled the food)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Actual Location where the Food was Cooled)',
      ],
      'City',
      'State or Region',
      'ZIP or Postal Code',
      'Country',
    ]),
    'Cooling Date (if applicable)\n(mm/dd/yyyy)',
    ['Traceability Lot Code', '(The Traceability Lot Code you assigned to this packed food)'],
    ...under('Product Description of the Packed Food - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of this food product)'],
      ['Commodity (if applicable)', '(e.g., Melon, Lettuce, aquaculture Shrimp)'],
      ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Whiteleg Shrimp)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ['Quantity of Packed Food', '(e.g., 6, 25, 100, 200)'],
    ['Unit of Measure of Packed Food', '(e.g., cases, reusable plastic containers, tanks, pounds)'],
    ...place(
      'Location Description for where you Initially Packed the Food (i.e., the Traceability Lot Code Source) - \n',
      '(Name of the Company Operating the Location where you Initially Packed the Food)',
      '(Phone Number to Call the Location where you Initially Packed the Food)',
      '(Street Address or Geographic Coordinates of the Actual Location where you Initially Packed the Food)',
    ),
    [
      'Traceability Lot Code Source Reference (if applicable)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    'Initial Packing Date\n(mm/dd/yyyy)',
    ['Reference Document Type', '(e.g., Production log, Work Order)'],
    ['Reference Document Number', '(e.g., Production Log 123, WO-719-2043)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the initial packing of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Initial Packing Sprouts', [
    ...place(
      'Location Description for the Grower of Seeds for Sprouting (if available) -\n',
      '(Name of the Company Operating the Location that grew the seeds for sprouting)',
      '(Phone Number to Call the Location that grew the seeds for sprouting)',
      '(Street Address or Geographic Coordinates of the Actual Location that Grew the Seeds for Sprouting)',
    ),
    'Seed Harvesting Date (if available)\n(mm/dd/yyyy)',
    ...place(
      'Location description for the seed conditioner or processor - \n',
      '(Name of the Company Operating the Location that conditioned or processed the seeds)',
      '(Phone Number to Call the Location that conditioned or processed the seeds)',
      '(Street Address or Geographic Coordinates of the Actual Location that Conditioned or Processed the Seeds)',
    ),
    'Seed Lot Code Associated with Conditioning or Processing',
    'Conditioning or Processing Date\n(mm/dd/yyyy)',
    ...place(
      'Location description for the seed packinghouse - \n',
      '(Name of the Company Operating the Seed Packinghouse)',
      '(Phone Number to Call the Seed Packinghouse)',
      '(Street Address or Geographic Coordinates of the Seed Packinghouse)',
    ),
    'Seed Packing Date\n(mm/dd/yyyy)',
    'Seed Lot Code\nAssigned by the Seed Packinghouse',
    ...place(
      'Location description for the seed repacking facility (if applicable) - \n',
      '(Name of the Company Operating the Seed Repacking Facility)',
      '(Phone Number to Call the Seed Repacking Facility)',
      '(Street Address or Geographic Coordinates of the Seed Repacking Facility)',
    ),
    'Seed Repacking Date (if applicable)\n(mm/dd/yyyy)',
    'Seed Lot Code \nAssigned by the Repacker (if applicable)',
    ...place(
      'Location description for the seed supplier - \n',
      '(Name of the Company Operating the seed supplier)',
      '(Phone Number to Call the seed supplier)',
      '(Street Address or Geographic Coordinates of the seed supplier)',
    ),
    ...under('Seed Lot Code Assigned by the Seed Supplier - \n', ['Master Seed Lot', 'Sub-Lot Code']),
    'Seed Lot Code Assigned by the Sprouter - \nNew Seed Lot',
    ...under('Description of the seeds - \n', [
      ['Type or Taxonomic name', '(e.g., Chickpea sprouts or Vigna radiata)'],
      [
        'Growing Specifications',
        '(e.g., in accordance with GAP standards and/or FDA guidance, USDA certification, seed purity or germination rate, organic or conventional)',
      ],
      ['Packaging', '(e.g., 50 lb poly bag, 25 lb multi-wall paper bag)'],
      ['Antimicrobial Treatment (if applicable)', '(Name of treatment method)'],
    ]),
    'Receive Date of Seeds by Sprouter\n(mm/dd/yyyy)',
    ['Reference Document Type', '(e.g., Production log, Work Order, Receipt of Goods)'],
    ['Reference Document Number', '(e.g., Entries 395-402, WO-719-2043, 24-1103-48)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the initial packing of sprouts - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Initial Packing from Exempt', [
    ['Commodity of the food received', '(e.g., Melon, Lettuce, aquaculture Shrimp)'],
    ['Variety (if applicable) of the food received', '(e.g., Small White Honeydew, Romaine, Whiteleg Shrimp)'],
    'Receive Date\n(mm/dd/yyyy)',
    ['Quantity of the food received', '(e.g., 75, 200)'],
    ['Unit of Measure of the food received', '(e.g., bins, pounds)'],
    ...place(
      'Location Description for the Person from whom you Received the Food - \n',
      '(Name of the Company Operating the Location that the Food arrived from)',
      '(Phone Number to Call the Location that the Food arrived from)',
      '(Street Address or Geographic Coordinates of the Actual Location from which the food was sent)',
    ),
    ['Traceability Lot Code\n(you assigned)', '(The Traceability Lot Code you assigned to this packed food)'],
    ...under('Product Description of the Packed Food - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of this food product)'],
      ['Commodity (if applicable)', '(e.g., Melon, Lettuce, Shrimp)'],
      ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Whiteleg Shrimp)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ['Quantity of the Packed Food', '(e.g., 6, 25, 100, 200)'],
    ['Unit of Measure of the Packed Food', '(e.g., cases, reusable plastic containers, tanks, pounds)'],
    ...place(
      'Location Description for where you Initially Packed the Food (i.e., the Traceability Lot Code Source) - \n',
      '(Name of the Company Operating the Location where the Traceability Lot Code was assigned)',
      '(Phone Number to Call the Location where the Traceability Lot Code was assigned)',
      '(Street Address or Geographic Coordinates of the Actual Location where you Initially Packed the Food)',
    ),
    [
      'Traceability Lot Code Source Reference (if applicable)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    'Initial Packing Date\n(mm/dd/yyyy)',
    ['Reference Document Type', '(e.g., Production log, Work Order)'],
    ['Reference Document Number', '(e.g., Entries 395-402, WO-719-2043)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the initial packing of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('First Land-Based Receiving', [
    [
      'Traceability Lot Code \n(you assigned)',
      '(The Traceability Lot Code you assigned to the food obtained from a fishing vessel)',
    ],
    [
      'Species and/or Acceptable Market Name, If the Food is Unpackaged',
      '(e.g., Gadhus morhua, Tuna, Homarus americanus, Snapper)',
    ],
    ...under('Product Description, If the Food is Packaged - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of this food product)'],
      ['Commodity (if applicable)', '(e.g., Cod, Tuna, Lobster, Snapper)'],
      ['Variety (if applicable) ', '(e.g., Atlantic Cod, Albacore, American Lobster, Red Snapper)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ['Quantity', '(e.g., 300)'],
    ['Unit of Measure', '(e.g., kg)'],
    ['Harvest Date Start\n(mm/dd/yyyy)', '(Earliest date of fishing for this trip)'],
    ['Harvest Date End\n(mm/dd/yyyy)', '(Final date of fishing for this trip)'],
    [
      'Harvest Locations For the Trip',
      '(e.g., NMFS Ocean Geographic code, FAO code, other recognizeable geo reference)',
    ],
    ...under('Location Description for the First Land-Based Receiver (i.e., the Traceability Lot Code Source) - \n', [
      ['Business Name', '(Business Name of the First Land-Based Receiver)'],
      ['Phone Number', '(Phone Number to Call the First Land-Based Receiver)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates for the Actual Location where the Food is Received)',
      ],
      'City',
      'State or Region',
      'ZIP or Postal Code',
    ]),
    'Location Description for the First Land-based Receiver (i.e., the Traceability Lot Code Source) - \nCountry',
    [
      'Traceability Lot Code Source Reference (if applicable)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    'Landing Date\n(mm/dd/yyyy)',
    ['Reference Document Type', '(e.g., Weight ticket, Receipt of Goods, Dealers Report)'],
    ['Reference Document Number', '(e.g., Ref #538-050, 24-1103-48, 20240125668)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the first land-based receiving of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Shipping', [
    [
      'Traceability Lot Code',
      '(The Traceability Lot Code assigned to the food by the Initial Packer / First Land-Based Receiver / person who Transformed the Food)',
    ],
    ['Quantity', '(e.g., 6, 25, 100, 200)'],
    ['Unit of Measure', '(e.g., cases, reusable plastic containers, tanks, pounds)'],
    ...under('Product Description - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of this food product)'],
      ['Commodity (if applicable)', '(e.g., Melon, Lettuce, Tuna, Soft Cheese)'],
      ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Albacore, Queso Fresco)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ...place(
      'Location Description for the Immediate Subsequent Recipient (other than a transporter) - \n',
      '(Name of the Company Operating the Location Receiving the Food)',
      '(Phone Number to Call the Location Receiving the Food)',
      '(Street Address or Geographic Coordinates of the Actual Location Where the Food is to be Received)',
    ),
    [
      'Location Description for the Location from which you Shipped the Food - \nBusiness Name',
      '(Name of the Company Operating the Location the Food Shipped from)',
    ],
    ...under('Location Description for the Location from which you Shipped the Food  - \n', [
      ['Phone Number', '(Phone Number to Call the Location the Food Shipped from)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Actual Location from which the food was sent)',
      ],
      'City',
    ]),
    'Location Description for the Location from which you Shipped the Food - \nState or Region',
    ...under('Location Description for the Location from which you Shipped the Food  - \n', [
      'ZIP or Postal Code',
      'Country',
    ]),
    'Shipping Date\n(mm/dd/yyyy)',
    ...under('Location Description for the Traceability Lot Code Source - \n', [
      ['Business Name', '(Business Name of the Traceability Lot Code Source)'],
      ['Phone Number', '(Phone Number to Call the Traceability Lot Code Source)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Traceability Lot Code Source)',
      ],
      'City',
      'State/Region',
      'ZIP/Postal Code',
      'Country',
    ]),
    [
      'Traceability Lot Code Source Reference (may be provided instead of the location description for the TLC Source)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    ['Reference Document Type', '(e.g., Advance Shipping Notice, Bill of Lading (BOL), Invoice)'],
    ['Reference Document Number', '(e.g., ASN 10212025, BOL 042520 XYZ, Invoice 750A)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the shipping of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Receiving', [
    [
      'Traceability Lot Code',
      '(The Traceability Lot Code assigned to the food by the Initial Packer / First Land-Based Receiver / person who Transformed the Food)',
    ],
    ['Quantity', '(e.g., 6, 25, 100, 200)'],
    ['Unit of Measure', '(e.g., cases, reusable plastic containers, tanks, pounds)'],
    ...under('Product Description - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of this food product)'],
      ['Commodity (if applicable)', '(e.g., Melon, Lettuce, Tuna, Soft Cheese)'],
      ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Albacore, Queso Fresco)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ...place(
      'Location Description for the Immediate Previous Source (other than a transporter) - \n',
      '(Name of the Company Operating the Location that the Food Arrived from)',
      '(Phone Number to Call the Location that the Food Arrived from)',
      '(Street Address or Geographic Coordinates of the Actual Location from which the food was sent)',
    ),
    ...place(
      'Location Description for where the Food was Received - \n',
      '(Name of the Company Operating the Location that Received the Food)',
      '(Phone Number to Call the Location that Received the Food)',
      '(Street Address or Geographic Coordinates of the Actual Location Where the Food was Received)',
    ),
    'Date you Received the Food\n(mm/dd/yyyy)',
    ...under('Location Description for the Traceability Lot Code Source - \n', [
      ['Business Name', '(Business Name of the Traceability Lot Code Source)'],
      ['Phone Number', '(Phone Number to Call the Traceability Lot Code Source)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Traceability Lot Code Source)',
      ],
      'City',
      'State/Region',
      'ZIP/Postal Code',
      'Country',
    ]),
    [
      'Traceability Lot Code Source Reference (may be provided instead of the location description for the TLC Source)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    ['Reference Document Type', '(e.g., Receipt of Goods, Advance Shipping Notice, Bill of Lading (BOL))'],
    ['Reference Document Number', '(e.g., 24-1103-48, ASN 10212025, BOL 042520 XYZ)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the receiving of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Receiving From Exempt', [
    [
      'Traceability Lot Code (which you must assign if one has not already been assigned)\n(does not apply if you are a Retail Food Establishment or Restaurant)',
      '(The Traceability Lot Code you assigned to the food received from an exempt entity)',
    ],
    ['Quantity', '(e.g., 6, 25, 100, 200)'],
    ['Unit of Measure', '(e.g., 6 cases, 25 reusable plastic containers, 100 tanks, 200 pounds)'],
    ...under('Product Description - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of this food product)'],
      ['Commodity (if applicable)', '(e.g., Melon, Lettuce, Tuna, Soft Cheese)'],
      ['Variety (if applicable)', '(e.g., Small White Honeydew, Romaine, Albacore, Queso Fresco)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ...place(
      'Location Description for the Immediate Previous Source (other than a transporter) - \n',
      '(Name of the Company Operating the Location that the Food Arrived from)',
      '(Phone Number to Call the Location that the Food Arrived from)',
      '(Street Address or Geographic Coordinates of the Actual Location from which the food was sent)',
    ),
    ...under('Location Description for where the Food was Received (i.e., the Traceability Lot Code Source) - \n', [
      [
        'Business Name',
        '(Name of the Company Operating the Location that Received the Food and where the Traceability Lot Code was assigned)',
      ],
      [
        'Phone Number',
        '(Phone Number to Call the Location that Received the Food and where the Traceability Lot Code was assigned)',
      ],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Actual Location Where the Food was Received)',
      ],
    ]),
    'Location Description for where the Food was Received (i.e., the Traceability Lot Code Source) -  \nCity',
    ...under('Location Description for where the Food was Received (i.e., the Traceability Lot Code Source) - \n', [
      'State/Region',
      'ZIP/Postal Code',
      'Country',
    ]),
    [
      'Traceability Lot Code Source Reference (if applicable)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    'Receive Date\n(mm/dd/yyyy)',
    ['Reference Document Type', '(e.g., Receipt of Goods, Advance Shipping Notice, Bill of Lading (BOL))'],
    ['Reference Document Number', '(e.g., 24-1103-48, ASN 10212025, BOL 042520 XYZ)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the receiving of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Transformation', [
    [
      'Traceability Lot Code for the FTL Food used in Transformation (if applicable)',
      '(The Traceability Lot Code of the incoming food used in this transformation)',
    ],
    ...under('Product Description for the Incoming FTL Food used in Transformation (if applicable) - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand for the incoming food used in transformation)'],
      ['Commodity (if applicable)', '(e.g., Lettuce, Tuna)'],
      ['Variety (if applicable)', '(e.g., Romaine, Albacore)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    [
      'Quantity of the food from this traceability lot that was used in the transformation (if applicable)',
      '(e.g., 6, 25, 100, 200)',
    ],
    [
      'Unit of measure for the food from this traceability lot that was used in the transformation (if applicable)',
      '(e.g., cases, reusable plastic containers, tanks, pounds)',
    ],
    'New Traceability Lot Code you assigned to the Food Produced Through Transformation',
    ...under('Location Description for where you Transformed the Food (i.e., the Traceability Lot Code Source) - \n', [
      ['Business Name', '(Name of the Company Operating the Location where the Traceability Lot Code was assigned)'],
      ['Phone Number', '(Phone Number to Call the Location where the Traceability Lot Code was assigned)'],
      [
        'Street Address or Geographic Coordinates',
        '(Street Address or Geographic Coordinates of the Actual Location where the Food was Transformed)',
      ],
      'City',
      'State/Region',
      'ZIP/Postal Code',
      'Country',
    ]),
    [
      'Traceability Lot Code Source Reference (if applicable)',
      '(Shareable reference (e.g., URL, FDA FFRN) to pass along the supply chain, which FDA can use to access the Location Description where the Traceability Lot Code was assigned)',
    ],
    'Transformation Completion Date\n(mm/dd/yyyy)',
    ...under('Product Description for the Food Produced through Transformation - \n', [
      'Product Name',
      ['Brand Name (if applicable)', '(Marketed Brand of a food produced through this transformation)'],
      ['Commodity (if applicable)', '(e.g., Sliced Apples, Bagged Salad, Tuna Salad, Soft Cheese)'],
      ['Variety (if applicable)', '(e.g., Red Delicious, Queso Fresco)'],
      ['Packaging Size', '(Packaging Configuration OR Count OR Weight + Unit of Measure)'],
      ['Packaging Style', '(e.g., Cartons, Trays, Cases, Clamshell, etc.)'],
    ]),
    ['Quantity of the Food Produced through Transformation', '(e.g., 6, 25, 100, 200)'],
    [
      'Unit of Measure for the Food Produced through Transformation',
      '(e.g., cases, reusable plastic containers, tanks, pounds)',
    ],
    ['Reference Document Type', '(e.g., Work Order, Batch Log, Production Log)'],
    ['Reference Document Number', '(e.g., WO-719-2043, Batch Log 01202021, Production Log 123)'],
    [
      'Reference Document Type2',
      '(Additional reference document type related to the transformation of this food - if needed)',
    ],
    ['Reference Document Number2', '(Corresponding number of the additional reference document - if needed)'],
  ]),
  sheet('Farm Purchase by RFE or Rest.  ', [
    'Name of the Food Directly Purchased from Farm',
    'Name of the Farm that was the source of the Food',
    'Address of the Farm that was the source of the Food - Street Address or Geographic Coordinates',
    ...under('Address of the Farm that was the source of the Food - \n', ['City', 'State/Region', 'Zip/Postal Code']),
    'Address of the Farm that was the source of the Food - Country',
  ]),
  sheet('Ad-hoc RFE or Rest. Purchase', [
    'Name of the Product Purchased',
    'Date of Purchase\n(mm/dd/yyyy)',
    'Name of the Place of Purchase',
    ...under('Address of the Place of Purchase - \n', [
      'Street Address or Geographic Coordinates',
      'City',
      'State/Region',
      'Zip/Postal Code',
      'Country',
    ]),
  ]),
  sheet('Farm to School or Institution', [
    'Name of the Food Obtained from a Farm through a Farm to School or Farm to Institution Program',
    'Name of the Farm that was the source of the Food',
    ...under('Address of the Farm that was the source of the Food - \n', [
      'Street Address or Geographic Coordinates',
      'City',
    ]),
    ...under('Address of the Farm that was the source of the Food -\n', ['State/Region', 'Zip/Postal Code', 'Country']),
  ]),
]

/** The sheet that is filled. */
export const receivingSheet = 'Receiving'
