import * as dates from '../../src/rules/line-dates.ts'
import { oneLotPerLine } from '../../src/rules/lot-code.ts'
import * as line from '../../src/rules/product-line.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { byVendor, proveGroup, proveRule } from '../support/records/prove-rule.ts'

/** Changes the line, or takes fields from it. */
const set =
  (changes: object, ...removed: readonly string[]) =>
  (payload: Json) => {
    const [one] = payload.eventList.productList
    Object.assign(one, changes)
    for (const field of removed) delete one[field]
  }

/** Takes the lot number, and receives the event at another time. */
const withoutLot = (eventDateTime: string) => (payload: Json) => {
  set({}, 'caseLotNumber')(payload)
  payload.eventList.eventDateTime = eventDateTime
}

/** A master product with all that a product description needs. */
const described = { id: 'r-1', itemDescription: 'Tomatoes on the vine', packSize: '12 lb', packStyle: 'carton' }
const offList = { id: 'r-1', itemDescription: 'Onions', isFtlItem: false }

/** Facts in which the item NEW, which is in no list, is this master product. */
const knownAs = (product: { readonly id: string; readonly [field: string]: unknown }) => ({
  masterProducts: byVendor(['V-1', 'NEW', product]),
})

const first = '/eventList/productList/0'
const lotGap = 'product-line/lot-code'
const descriptionGap = 'product-line/product-description'
const lotError = 'product-line/lot-number-given'

proveRule(line.lotNumberGiven, {
  accepts: [
    { title: 'a line with its lot number' },
    ...[
      ['in December 2025', '2025-12-31T12:00:00Z'],
      ['late on 31 December at its own place, when UTC says January', '2025-12-31T23:30:00-05:00'],
      ['one second before the year', '2025-12-31T23:59:59+14:00'],
    ].map(([when = '', at = '']) => ({
      title: `a line without lot number ${when}`,
      edit: withoutLot(at),
      alsoReports: [lotGap],
    })),
    {
      title: 'a line without lot number before a later configured date',
      edit: withoutLot('2028-07-19T23:59:59-10:00'),
      settings: { lotNumberRequiredFrom: '2028-07-20' },
      alsoReports: [lotGap],
    },
    {
      title: 'a line without lot number of an event whose date cannot be, sent before a later configured date',
      edit: withoutLot('0026-03-04T09:30:00-05:00'),
      settings: { lotNumberRequiredFrom: '2028-07-20' },
      facts: { now: Date.parse('2026-03-05T16:00:00Z') },
      alsoReports: [lotGap, 'receiving-event/years-plausible'],
    },
    {
      title: 'a line without lot number of an event a decade before it is sent, from before the rule',
      edit: withoutLot('2016-03-04T09:30:00-05:00'),
      facts: { now: Date.parse('2026-03-05T16:00:00Z') },
      alsoReports: [lotGap, 'receiving-event/years-plausible'],
    },
    {
      title: 'a line without lot number of an event without datetime, which is another error',
      edit: (payload) => {
        set({}, 'caseLotNumber')(payload)
        delete payload.eventList.eventDateTime
      },
      alsoReports: ['shape/required'],
    },
  ],
  refuses: [
    ...[
      ['early on 1 January at its own place, when UTC says December', '2026-01-01T00:30:00+02:00'],
      ['at the first second of the year', '2026-01-01T00:00:00Z'],
      ['in March 2026', '2026-03-04T09:30:00-06:00'],
    ].map(([when = '', at = '']) => ({
      title: `a line without lot number ${when}`,
      edit: withoutLot(at),
      at: `${first}/caseLotNumber`,
      says: 'it is required of events from 2026-01-01 on',
    })),
    ...['0026-03-04', '1926-03-04', '2006-03-04', '1970-01-01'].map((date) => ({
      title: `a line without lot number of an event of ${date}, which cannot be its date`,
      edit: withoutLot(`${date}T09:30:00-05:00`),
      at: `${first}/caseLotNumber`,
      says: `It is required of events from 2026-01-01 on, and eventDateTime "${date}T09:30:00-05:00" cannot be the time of an earlier one.`,
      alsoReports: [date === '1970-01-01' ? 'receiving-event/date-received' : 'receiving-event/years-plausible'],
    })),
    { title: 'a blank lot number', edit: set({ caseLotNumber: ' ' }), at: `${first}/caseLotNumber` },
    {
      title: 'a line without lot number from another configured date on',
      edit: withoutLot('2024-05-01T00:00:00+10:00'),
      settings: { lotNumberRequiredFrom: '2024-05-01' },
      at: `${first}/caseLotNumber`,
      says: '2024-05-01',
    },
    {
      title: 'each line without lot number, in each event',
      edit: (payload) => {
        set({}, 'caseLotNumber')(payload)
        const [one] = payload.eventList.productList
        payload.eventList.productList.push({ ...one, caseLotNumber: 'HG-2' }, one)
        payload.eventList = [payload.eventList, { ...payload.eventList, eventDateTime: '2026-04-01T00:00:00Z' }]
      },
      at: [
        '/eventList/0/productList/0/caseLotNumber',
        '/eventList/0/productList/2/caseLotNumber',
        '/eventList/1/productList/0/caseLotNumber',
        '/eventList/1/productList/2/caseLotNumber',
      ],
    },
  ],
})

proveRule(line.lotCode, {
  accepts: [
    { title: 'a line with its lot code' },
    ...['NA-2291', 'NONE1', 'X1', '1111', '0001', 'TEST1234', 'MIX77', '(01)10614141000415(10)NA-2291'].map(
      (caseLotNumber) => ({
        title: `the lot code ${caseLotNumber}`,
        edit: set({ caseLotNumber }),
        alsoReports: caseLotNumber.startsWith('(') ? ['product-line/lot-code-barcode'] : [],
      }),
    ),
    {
      title: 'a placeholder for an item that is not on the Food Traceability List',
      edit: set({ caseLotNumber: 'n/a', vendorItemCode: 'NEW' }),
      facts: knownAs(offList),
    },
    {
      title: 'nothing when the missing lot number is an error already',
      edit: withoutLot('2026-01-01T00:00:00Z'),
      alsoReports: [lotError],
    },
    {
      title: 'a line without lot code of an item that is not on the Food Traceability List',
      edit: (payload) => {
        withoutLot('2025-12-31T23:30:00-05:00')(payload)
        Object.assign(payload.productMasterDataList[0], { isFtlItem: false, ftlCategory: '' })
      },
    },
    {
      title: 'a line without lot code of an item whose master product says the same, when it is in no list',
      edit: (payload) => {
        withoutLot('2025-12-31T23:30:00-05:00')(payload)
        set({ vendorItemCode: 'NEW' })(payload)
      },
      facts: knownAs(offList),
    },
  ],
  refuses: [
    {
      title: 'a line without lot code before the required date',
      edit: withoutLot('2025-12-31T23:30:00-05:00'),
      at: `${first}/caseLotNumber`,
    },
    ...[
      'n/a',
      'TBD',
      'see paperwork',
      '-',
      '?',
      '0000',
      '99999999',
      '(01)10614141000415(10)N/A',
      'MIXED',
      'LOT#',
      'as per label',
      'test',
    ].map((caseLotNumber) => ({
      title: `the lot code ${caseLotNumber}, and nothing else of it`,
      edit: set({ caseLotNumber }),
      at: `${first}/caseLotNumber`,
      says: `caseLotNumber is ${JSON.stringify(caseLotNumber)}, which is no traceability lot code.`,
    })),
    {
      title: 'a line without lot code when the list of the payload, which goes before, does not say it is off the list',
      edit: withoutLot('2025-12-31T23:30:00-05:00'),
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', offList]) },
      at: `${first}/caseLotNumber`,
    },
  ],
})

proveRule(line.quantityUnit, {
  accepts: [
    ...['case', 'EA', 'LB', 'x 12'].map((shipQuantityUom) => ({
      title: `the unit ${shipQuantityUom}`,
      edit: set({ shipQuantityUom }),
    })),
    {
      title: 'a placeholder for an item that is not on the Food Traceability List',
      edit: set({ shipQuantityUom: 'n/a', vendorItemCode: 'NEW' }),
      facts: knownAs(offList),
    },
    { title: 'a blank unit, which is an error', edit: set({ shipQuantityUom: ' ' }), alsoReports: ['shape/required'] },
  ],
  refuses: ['n/a', 'Unknown', '-', '?'].map((shipQuantityUom) => ({
    title: `the unit ${shipQuantityUom}`,
    edit: set({ shipQuantityUom }),
    at: `${first}/shipQuantityUom`,
    says: `shipQuantityUom is "${shipQuantityUom}"`,
  })),
})

proveRule(oneLotPerLine, {
  accepts: [
    { title: 'a line of one lot' },
    ...[
      '24/131',
      'A-12/3',
      '2026/03/04',
      'GV26063-14',
      '3LOTS77',
      'ETC-26',
      'https://id.gs1.org/01/10614141000415/10/L1',
    ].map((caseLotNumber) => ({
      title: `the lot code ${caseLotNumber}`,
      edit: set({ caseLotNumber }),
      alsoReports: caseLotNumber.startsWith('h') ? ['product-line/lot-code-barcode'] : [],
    })),
  ],
  refuses: [
    {
      title: 'several lots in one text, once and whatever sign is between them',
      edit: set({ caseLotNumber: 'L1, L2' }),
      at: [`${first}/caseLotNumber`],
      says: 'caseLotNumber "L1, L2" seems to name several lots: "L1", "L2".',
    },
    {
      title: 'a range, with the first of its lots',
      edit: set({ caseLotNumber: 'L1-L9' }),
      at: [`${first}/caseLotNumber`],
      says: 'caseLotNumber "L1-L9" seems to name several lots: "L1", "L2", "L3", "L4", "L5" and 4 more.',
    },
    ...['GV26063-A + 2 more', 'GV26063-A, etc.', 'GV26063-A (2 lots)', '3 lots', 'GV26063-A and others'].map(
      (caseLotNumber) => ({
        title: `lots that the text does not name, ${caseLotNumber}`,
        edit: set({ caseLotNumber }),
        at: [`${first}/caseLotNumber`],
        says: `caseLotNumber "${caseLotNumber}" says that there are more lots than it names.`,
        alsoReports: ['product-line/lot-code-barcode'],
      }),
    ),
  ],
})

proveRule(line.lotCodeBarcode, {
  accepts: ['A', 'HG-2026/061', 'y'.repeat(20), 'A!"%&\'()*+,-./:;<=>?'].map((caseLotNumber) => ({
    title: `the lot code ${caseLotNumber}`,
    edit: set({ caseLotNumber }),
  })),
  refuses: [
    ['y'.repeat(21), 'has 21 characters, and a GS1 barcode carries 20.'],
    ['HG 2026', 'has " ", which a GS1 barcode cannot carry.'],
    ['HG#1#', 'has "#", which a GS1 barcode cannot carry.'],
    ['LÖT €', 'has "Ö", " ", "€", which a GS1 barcode cannot carry.'],
    ['ÀÈÌÒÙÂ', 'has "À", "È", "Ì", "Ò", "Ù" and others, which'],
  ].map(([caseLotNumber = '', says = '']) => ({
    title: `the lot code ${caseLotNumber}`,
    edit: set({ caseLotNumber }),
    at: `${first}/caseLotNumber`,
    says,
  })),
})

const source = {
  tlcSourceName: 'Harbor Farms',
  tlcSourceAddress1: '9 Field Road',
  tlcSourceCity: 'Salinas',
  tlcSourceState: 'CA',
  tlcSourcePostalCode: '93901',
  tlcSourceCountry: 'USA',
  tlcSourcePhoneNumber: '+1.831.555.0199',
}
const gln = 'tlcSourceReferenceGln'
const place = 'product-line/tlc-source-place'

proveRule(line.tlcSourceGiven, {
  accepts: [
    ...[
      ['Duns', '123456789'],
      ['Gln', '0614141000012'],
      ['Ffrn', '14532865782'],
      ['Fei', '3004567890'],
      ['Url', 'https://trace.example.com/1'],
    ].map(([name, value]) => ({
      title: `a line with tlcSourceReference${name} alone`,
      edit: set({ [gln]: '', [`tlcSourceReference${name}`]: value }),
    })),
    {
      title: 'a line with tlcSourceReferenceOther alone',
      edit: set({ tlcSourceReferenceOther: 'GGN:4049928415684' }, gln),
      alsoReports: [place],
    },
    { title: 'a line that describes the source without second address line', edit: set(source, gln) },
    {
      title: 'a line that describes the source with second address line',
      edit: set({ ...source, tlcSourceAddress2: 'Block C' }, gln),
    },
    {
      title: 'a reference beside an incomplete description of somebody else',
      edit: set({ tlcSourceName: 'Delta Farms' }),
      alsoReports: [place],
    },
    { title: 'a reference beside a part of its description', edit: set({ tlcSourceName: 'HARBOR GREENHOUSE, LLC' }) },
  ],
  refuses: [
    { title: 'a line that says nothing of the source', edit: set({}, gln), at: first, says: 'neither refers' },
    {
      title: 'a line whose reference and description are blank',
      edit: set({ [gln]: ' ', tlcSourceReferenceUrl: '', tlcSourceName: '  ' }),
      at: first,
    },
    ...Object.keys(source).map((field) => ({
      title: `a description without ${field}`,
      edit: set(source, gln, field),
      at: `${first}/${field}`,
      says: `${field} is missing`,
    })),
    {
      title: 'a description with a blank phone number',
      edit: set({ ...source, tlcSourcePhoneNumber: ' ' }, gln),
      at: `${first}/tlcSourcePhoneNumber`,
    },
    {
      title: 'a second address line alone, and names every part that is missing',
      edit: set({ tlcSourceAddress2: 'Block C' }, gln),
      at: `${first}/tlcSourceName`,
      says: `${Object.keys(source).join(', ')} are missing: without`,
    },
  ],
})

proveRule(line.tlcSourcePlace, {
  accepts: [
    { title: 'a GLN that a completely described location of the payload has' },
    { title: 'a DUNS number that such a location has', edit: set({ tlcSourceReferenceDuns: '123456789' }, gln) },
    { title: 'a registration number', edit: set({ tlcSourceReferenceFfrn: '14532865782' }, gln) },
    {
      title: 'a registration number beside a placeholder',
      edit: set({ tlcSourceReferenceFfrn: '14532865782', tlcSourceReferenceOther: 'n/a' }, gln),
    },
    {
      title: 'a description with a placeholder for the state and postal code that the country does not have',
      edit: set(
        {
          ...source,
          tlcSourceCity: 'Hong Kong',
          tlcSourceState: 'Kowloon',
          tlcSourcePostalCode: 'n/a',
          tlcSourceCountry: 'HKG',
        },
        gln,
      ),
    },
    {
      title: 'a description with a placeholder for the state where there is none',
      edit: set(
        { ...source, tlcSourceState: '-', tlcSourceCountry: 'Netherlands', tlcSourcePostalCode: '2665 MS' },
        gln,
      ),
    },
    {
      title: 'a web link beside an unknown GLN',
      edit: set({ [gln]: '4006381333931', tlcSourceReferenceUrl: 'https://t.example' }),
    },
    { title: 'a complete description beside an unknown GLN', edit: set({ ...source, [gln]: '4006381333931' }) },
    {
      title: 'a GLN that master data gives a location of the payload',
      edit: (payload) => {
        set({ [gln]: '4006381333931' })(payload)
        delete payload.locationMasterList[1].gln
      },
      facts: {
        masterLocations: byVendor(
          ['V-1', 'SHIP-FROM', { duns: '123456789' }],
          ['V-1', 'SHIP-TO', { gln: '4006381333931' }],
        ),
      },
    },
    {
      title: 'a GLN of no location, for an item that is not on the Food Traceability List',
      edit: (payload) => {
        set({ [gln]: '4006381333931' })(payload)
        Object.assign(payload.productMasterDataList[0], { isFtlItem: false, ftlCategory: '' })
      },
    },
    {
      title: 'a bare number for an item whose master product says it is not on the list',
      edit: set({ [gln]: '4006381333931', vendorItemCode: 'NEW' }),
      facts: knownAs(offList),
    },
    {
      title: 'nothing of a line without any source, which is an error already',
      edit: set({}, gln),
      alsoReports: ['product-line/tlc-source-given'],
    },
  ],
  refuses: [
    {
      title: 'a GLN that the master data of another vendor gives a location',
      edit: set({ [gln]: '4006381333931' }),
      facts: { masterLocations: byVendor(['V-2', 'SHIP-TO', { gln: '4006381333931' }]) },
      at: `${first}/${gln}`,
    },
    { title: 'a GLN of no location of the payload', edit: set({ [gln]: '4006381333931' }), at: `${first}/${gln}` },
    {
      title: 'a DUNS number of no location of the payload',
      edit: set({ tlcSourceReferenceDuns: '999999999' }, gln),
      at: `${first}/tlcSourceReferenceDuns`,
    },
    {
      title: 'a DUNS number that stands as GLN nowhere, beside a blank GLN',
      edit: set({ [gln]: ' ', tlcSourceReferenceDuns: '999999999' }),
      at: `${first}/tlcSourceReferenceDuns`,
    },
    {
      title: 'an identifier of another kind',
      edit: set({ tlcSourceReferenceOther: 'GGN:4049928415684' }, gln),
      at: `${first}/tlcSourceReferenceOther`,
    },
    ...['Ffrn', 'Fei', 'Url', 'Other'].flatMap((name) =>
      ['n/a', 'unknown', 'see paperwork', '?', '0000000'].map((value) => ({
        title: `tlcSourceReference${name} ${value}`,
        edit: set({ [`tlcSourceReference${name}`]: value }, gln),
        at: `${first}/tlcSourceReference${name}`,
        says: JSON.stringify(value),
      })),
    ),
    {
      title: 'a DUNS number of zeros, although a location that is described has it too',
      edit: (payload) => {
        set({ tlcSourceReferenceDuns: '000000000' }, gln)(payload)
        Object.assign(payload.locationMasterList[0], { duns: '000000000' })
      },
      at: `${first}/tlcSourceReferenceDuns`,
      alsoReports: ['location/identifiers-assigned'],
    },
    ...Object.keys(source).map((field) => ({
      title: `a description whose ${field} is a placeholder`,
      edit: set({ ...source, [field]: 'n/a' }, gln),
      at: `${first}/${field}`,
      says: `${field} is "n/a".`,
    })),
    {
      title: 'a description of placeholders, once, with all of them',
      edit: set({ ...source, tlcSourceName: 'n/a', tlcSourceCity: '-', tlcSourcePhoneNumber: '000-000-0000' }, gln),
      at: `${first}/tlcSourceName`,
      says: 'tlcSourceName is "n/a", tlcSourceCity is "-", tlcSourcePhoneNumber is "000-000-0000".',
    },
    {
      title: 'a GLN of a location that is not described completely',
      edit: (payload) => delete payload.locationMasterList[0].phoneNumber,
      at: `${first}/${gln}`,
      alsoReports: ['receiving-event/ship-from-description'],
    },
  ],
})

for (const [rule, field, right, wrong] of [
  [
    line.tlcSourceFfrnForm,
    'tlcSourceReferenceFfrn',
    ['14532865782'],
    ['123', '123456789', '14532865782X', '145-32865782'],
  ],
  [
    line.tlcSourceFeiForm,
    'tlcSourceReferenceFei',
    ['3004567890', '1234567'],
    ['1', '12345678', '300456789', 'FEI 3004567890'],
  ],
  [
    line.tlcSourceUrlForm,
    'tlcSourceReferenceUrl',
    [
      'https://trace.example.com/source/gv-1',
      'http://example.com',
      'https://id.gs1.org/414/0614141000012?x=1',
      'HTTPS://EXAMPLE.COM',
    ],
    ['www.example.com', 'ftp://example.com/1', 'https://', 'https://n/a', 'trace', 'mailto:a@example.com'],
  ],
] as const)
  proveRule(rule, {
    accepts: [
      ...right.map((value) => ({ title: `${field} ${value}`, edit: set({ [field]: value }, gln) })),
      { title: `a blank ${field}`, edit: set({ [field]: ' ' }) },
      { title: `a placeholder, which the gap names`, edit: set({ [field]: 'n/a' }, gln), alsoReports: [place] },
    ],
    refuses: [
      ...wrong.map((value) => ({
        title: `${field} ${value}`,
        edit: set({ [field]: value }),
        at: `${first}/${field}`,
        says: `${field} is ${JSON.stringify(value)}; expected is`,
      })),
      {
        title: `${field} of a wrong form, which then is no source`,
        edit: set({ [field]: wrong[0] }, gln),
        at: `${first}/${field}`,
        alsoReports: [place],
      },
    ],
  })

const digits = (field: string, right: readonly string[], wrong: readonly string[]) => ({
  accepts: [
    ...right.map((value) => ({
      title: `${field} ${value}`,
      edit: set({ [field]: value, tlcSourceReferenceFei: '3004567890' }),
    })),
    {
      title: `a blank ${field}, which counts as absent`,
      edit: set({ [field]: ' ', tlcSourceReferenceFei: '3004567890' }),
    },
  ],
  refuses: wrong.map((value) => ({
    title: `${field} ${JSON.stringify(value)}`,
    edit: set({ [field]: value, tlcSourceReferenceFei: '3004567890' }),
    at: `${first}/${field}`,
    says: JSON.stringify(value),
  })),
})

const checkDigit = (field: string, right: string, wrong: string, call: string) => ({
  accepts: [{ title: `${field} ${right}`, edit: set({ [field]: right, tlcSourceReferenceFei: '3004567890' }) }],
  refuses: [
    {
      title: `${field} ${wrong}, with the right last digit`,
      edit: set({ [field]: wrong, tlcSourceReferenceFei: '3004567890' }),
      at: `${first}/${field}`,
      says: `its other digits call for ${call}.`,
    },
  ],
})

proveRule(
  line.caseGtinDigits,
  digits('caseGtin', ['10614141000415'], ['036000291452', '1061414100041X', '(01)10614141000']),
)
proveRule(line.caseGtinCheckDigit, checkDigit('caseGtin', '10614141000415', '10614141000414', '5'))
proveRule(
  line.palletIdDigits,
  digits('palletId', ['106141411234567897'], ['10614141123456789', '00106141411234567897']),
)
proveRule(line.palletIdCheckDigit, checkDigit('palletId', '106141411234567897', '106141411234567890', '7'))
proveRule(line.itemUpcDigits, digits('itemUpc', ['96385074', '036000291452', '4006381333931'], ['10614141000415', '1']))
proveRule(line.itemUpcCheckDigit, checkDigit('itemUpc', '036000291452', '036000291459', '2'))
proveRule(line.tlcSourceGlnDigits, digits(gln, ['0614141999996'], ['061414199999', '0614141-99999']))
proveRule(line.tlcSourceGlnCheckDigit, checkDigit(gln, '0614141999996', '0614141999991', '6'))
proveRule(line.tlcSourceDunsDigits, digits('tlcSourceReferenceDuns', ['123456789'], ['12345678', '12-3456789']))

proveRule(line.countryLetters, {
  accepts: [
    { title: 'three letters', edit: set({ countryOfOrigin: 'MEX' }) },
    { title: 'a blank country', edit: set({ countryOfOrigin: '' }) },
  ],
  refuses: ['US', 'USAA', 'U.S', '840', 'Perú', 'ÖST'].map((countryOfOrigin) => ({
    title: `the country ${countryOfOrigin}`,
    edit: set({ countryOfOrigin }),
    at: `${first}/countryOfOrigin`,
    says: JSON.stringify(countryOfOrigin),
  })),
})

proveRule(line.countryKnown, {
  accepts: ['USA', 'mex', 'ZAF', 'XKX', ' '].map((countryOfOrigin) => ({
    title: `the country ${JSON.stringify(countryOfOrigin)}`,
    edit: set({ countryOfOrigin }),
  })),
  refuses: ['ZZZ', 'GER', 'ENG', 'usx'].map((countryOfOrigin) => ({
    title: `the country ${countryOfOrigin}`,
    edit: set({ countryOfOrigin }),
    at: `${first}/countryOfOrigin`,
    says: JSON.stringify(countryOfOrigin),
  })),
})

proveRule(line.productIdUnique, {
  accepts: [
    { title: 'an id of its own', edit: set({ productId: 'LINE-1' }) },
    {
      title: 'lines without id, and with different ids',
      edit: (payload) => {
        const [one] = payload.eventList.productList
        payload.eventList.productList = [one, { ...one, productId: 'A' }, { ...one, productId: 'B' }, one]
      },
    },
  ],
  refuses: [
    {
      title: 'one id on several lines, also of several events',
      edit: (payload) => {
        const one = { ...payload.eventList.productList[0], productId: 'A' }
        const event = { ...payload.eventList, productList: [one, one] }
        payload.eventList = [event, { ...event, eventDateTime: '2026-03-05T09:30:00Z' }]
      },
      at: [
        '/eventList/0/productList/1/productId',
        '/eventList/1/productList/0/productId',
        '/eventList/1/productList/1/productId',
      ],
      says: 'productId "A" is already used at /eventList/0/productList/0.',
    },
  ],
})

proveRule(line.quantityPositive, {
  accepts: [0.25, 1, 5_000].map((shipQuantity) => ({
    title: `the quantity ${shipQuantity}`,
    edit: set({ shipQuantity }),
  })),
  refuses: [0, -5, -0.5].map((shipQuantity) => ({
    title: `the quantity ${shipQuantity}`,
    edit: set({ shipQuantity }),
    at: `${first}/shipQuantity`,
    says: `shipQuantity is ${shipQuantity}.`,
  })),
})

proveRule(line.identifiersAssigned, {
  accepts: [{ title: 'numbers that were assigned' }],
  refuses: [
    {
      title: 'an SSCC, a GTIN and a UPC of zeros',
      edit: set({ palletId: '0'.repeat(18), caseGtin: '0'.repeat(14), itemUpc: '0'.repeat(12) }),
      at: [`${first}/caseGtin`, `${first}/palletId`, `${first}/itemUpc`],
      says: 'caseGtin is "00000000000000", which was assigned to nobody as a GTIN-14.',
    },
  ],
})

proveRule(line.caseGtinOfProduct, {
  accepts: [
    { title: 'the case GTIN of the product in the list' },
    { title: 'a line without case GTIN', edit: set({}, 'caseGtin') },
    { title: 'a product without GTIN', edit: (payload) => delete payload.productMasterDataList[0].gtin },
    {
      title: 'a master product with the same GTIN',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: knownAs({ ...described, gtin: '10614141000415' }),
    },
    {
      title: 'a mistyped GTIN, which is another finding',
      edit: set({ caseGtin: '10614141000414' }),
      alsoReports: ['product-line/case-gtin-check-digit'],
    },
  ],
  refuses: [
    {
      title: 'another case GTIN than that of the product in the list',
      edit: set({ caseGtin: '10614141000521' }),
      at: `${first}/caseGtin`,
      says: 'caseGtin is 10614141000521; product "TOM-1" has the GTIN 10614141000415.',
    },
    {
      title: 'another case GTIN than that of the master product',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: knownAs({ ...described, gtin: '10614141000521' }),
      at: `${first}/caseGtin`,
    },
  ],
})

proveRule(dates.madeBeforeReceipt, {
  accepts: [
    { title: 'dates before the receipt', edit: set({ harvestDate: '2026-03-01', packagingDate: '2026-03-04' }) },
    {
      title: 'the date at a place ahead of UTC, of a receipt told in UTC',
      edit: (payload) => {
        set({ harvestDate: '2026-03-05' })(payload)
        payload.eventList.eventDateTime = '2026-03-04T20:00:00Z'
      },
    },
    {
      title: 'a date of today',
      edit: set({ harvestDate: '2026-03-04' }),
      facts: { now: Date.parse('2026-03-04T16:00:00Z') },
    },
  ],
  refuses: [
    {
      title: 'each date after the receipt',
      edit: set({ harvestDate: '2026-03-05', productionDate: '2026-04-01', packagingDate: '2027-01-01' }),
      at: [`${first}/harvestDate`, `${first}/productionDate`, `${first}/packagingDate`],
      says: 'harvestDate is 2026-03-05, after the receipt on 2026-03-04.',
    },
    {
      title: 'a date in the future, of an event in the future',
      edit: (payload) => {
        set({ harvestDate: '2199-03-05' })(payload)
        payload.eventList.eventDateTime = '2199-06-01T00:00:00Z'
      },
      facts: { now: Date.parse('2026-03-04T16:00:00Z') },
      at: `${first}/harvestDate`,
      says: 'harvestDate is 2199-03-05, which lies in the future.',
      alsoReports: ['receiving-event/received-in-past'],
    },
  ],
})

proveRule(dates.madeBeforeShipping, {
  accepts: [
    {
      kind: 'shippingEvent',
      title: 'a harvest on the day on which the goods left',
      edit: set({ harvestDate: '2026-03-03' }),
    },
  ],
  refuses: [
    {
      kind: 'shippingEvent',
      title: 'a harvest after the goods left',
      edit: set({ harvestDate: '2026-03-04' }),
      at: `${first}/harvestDate`,
      says: 'harvestDate is 2026-03-04, after the shipment on 2026-03-03.',
    },
  ],
})

const transformed = 'transformationEvent' as const
proveRule(dates.madeBeforeEvent, {
  accepts: [
    { kind: transformed, title: 'a production on the day of the event', edit: set({ productionDate: '2026-03-04' }) },
  ],
  refuses: [
    {
      kind: transformed,
      title: 'a production after the event',
      edit: set({ productionDate: '2026-03-05' }),
      at: `${first}/productionDate`,
    },
  ],
})
proveRule(dates.goodAtEvent, {
  accepts: [{ kind: transformed, title: 'food that expires on the day', edit: set({ expirationDate: '2026-03-04' }) }],
  refuses: [
    {
      kind: transformed,
      title: 'an ingredient that had expired',
      edit: (payload) => {
        payload.eventList.ingredientList[0].expirationDate = '2026-03-02'
      },
      at: '/eventList/ingredientList/0/expirationDate',
      says: 'expirationDate is 2026-03-02, before the event on 2026-03-04.',
    },
  ],
})

proveRule(dates.goodAfterMade, {
  accepts: [
    {
      title: 'dates in order',
      edit: set({ harvestDate: '2026-03-04', bestBeforeDate: '2026-03-04', expirationDate: '2026-03-20' }),
    },
    { title: 'an expiration date alone', edit: set({ expirationDate: '2026-03-10' }) },
  ],
  refuses: [
    {
      title: 'an expiration date before the production date, and a best-before date before the harvest',
      edit: set({
        expirationDate: '2026-02-01',
        productionDate: '2026-03-01',
        harvestDate: '2026-01-15',
        bestBeforeDate: '2026-01-01',
      }),
      at: [`${first}/expirationDate`, `${first}/bestBeforeDate`],
      says: 'expirationDate is 2026-02-01, before productionDate, 2026-03-01.',
    },
    {
      title: 'a best-before date before the packaging date',
      edit: set({ bestBeforeDate: '2026-02-28', packagingDate: '2026-03-01' }),
      at: `${first}/bestBeforeDate`,
    },
  ],
})

proveRule(dates.madeInOrder, {
  accepts: [
    {
      title: 'harvest, production and packaging in this order, or on one day',
      edit: set({ harvestDate: '2026-03-01', productionDate: '2026-03-02', packagingDate: '2026-03-02' }),
    },
    {
      title: 'a harvest after the receipt, which another rule reports',
      edit: set({ harvestDate: '2026-03-05', packagingDate: '2026-03-02' }),
      alsoReports: ['product-line/made-before-receipt'],
    },
  ],
  refuses: [
    {
      title: 'a harvest after the packaging',
      edit: set({ harvestDate: '2026-03-03', packagingDate: '2026-03-02' }),
      at: `${first}/harvestDate`,
      says: 'harvestDate is 2026-03-03, after packagingDate, 2026-03-02.',
    },
    {
      title: 'a harvest after the production, and a production after the packaging',
      edit: set({ harvestDate: '2026-03-03', productionDate: '2026-03-02', packagingDate: '2026-03-01' }),
      at: [`${first}/harvestDate`, `${first}/productionDate`],
    },
  ],
})

proveRule(dates.goodAtReceipt, {
  accepts: [
    {
      title: 'food that expires on the day',
      edit: set({ expirationDate: '2026-03-04', bestBeforeDate: '2026-03-04' }),
    },
    {
      title: 'the date at a place behind UTC, of a receipt told in UTC',
      edit: (payload) => {
        set({ expirationDate: '2026-03-04' })(payload)
        payload.eventList.eventDateTime = '2026-03-05T02:00:00Z'
      },
    },
    {
      title: 'an event whose own date stands for none',
      edit: (payload) => {
        set({ expirationDate: '2026-03-04' })(payload)
        payload.eventList.eventDateTime = '9999-12-31T00:00:00Z'
      },
      alsoReports: ['receiving-event/date-received'],
    },
  ],
  refuses: [
    {
      title: 'food that had expired the day before, or was best before it',
      edit: set({ expirationDate: '2026-03-03', bestBeforeDate: '2026-03-01' }),
      at: [`${first}/expirationDate`, `${first}/bestBeforeDate`],
      says: 'expirationDate is 2026-03-03, before the receipt on 2026-03-04.',
    },
    {
      title: 'the same of a receipt told in UTC, once the day has ended everywhere',
      edit: (payload) => {
        set({ expirationDate: '2026-03-04' })(payload)
        payload.eventList.eventDateTime = '2026-03-05T12:00:00Z'
      },
      at: `${first}/expirationDate`,
    },
  ],
})

proveRule(dates.goodAtShipping, {
  accepts: [
    { kind: 'shippingEvent', title: 'food that expires on the day', edit: set({ expirationDate: '2026-03-03' }) },
  ],
  refuses: [
    {
      kind: 'shippingEvent',
      title: 'food that had expired before it left',
      edit: set({ expirationDate: '2026-03-02' }),
      at: `${first}/expirationDate`,
      says: 'expirationDate is 2026-03-02, before the shipment on 2026-03-03.',
    },
  ],
})

const lineDates = [
  'harvestDate',
  'productionDate',
  'packagingDate',
  'expirationDate',
  'bestBeforeDate',
  'itemDateCode',
] as const
const inMarch = { now: Date.parse('2026-03-04T16:00:00Z') }
const eachAs = (date: string) => Object.fromEntries(lineDates.map((field) => [field, date]))
const eachInOrder = lineDates.map((field) => `${first}/${field}`)

proveRule(dates.yearsPlausible, {
  accepts: [
    {
      title: 'dates some years away',
      edit: set({ harvestDate: '2024-10-01', bestBeforeDate: '2031-10-01', itemDateCode: '2026-02-11' }),
      facts: inMarch,
    },
    {
      title: 'the dates of a record that was stored years ago',
      edit: set({ harvestDate: '2026-03-01', bestBeforeDate: '2026-03-20' }),
      facts: { now: Date.parse('2041-03-04T16:00:00Z'), storedAt: inMarch.now },
    },
  ],
  refuses: [
    ...['0026-03-01', '1926-03-01', '2006-03-01', '2016-03-01'].map((date) => ({
      title: `each date of ${date}`,
      edit: set(eachAs(date)),
      facts: inMarch,
      at: eachInOrder,
    })),
    {
      title: 'a year of two digits without a clock, and says what was meant',
      edit: set({ packagingDate: '0026-03-01' }),
      at: `${first}/packagingDate`,
      says: 'packagingDate is "0026-03-01". A record of this time cannot have the year 0026. Year 26 was probably meant as 2026.',
    },
    {
      title: 'dates until which food is good of another century',
      edit: set({ expirationDate: '2206-03-20', bestBeforeDate: '2036-03-20', itemDateCode: '9999-12-31' }),
      facts: inMarch,
      at: [`${first}/expirationDate`, `${first}/bestBeforeDate`, `${first}/itemDateCode`],
    },
  ],
})

proveRule(line.itemCodeListed, {
  accepts: [
    { title: 'an item code of the product list' },
    {
      title: 'an item code known only as master product of the vendor',
      edit: set({ vendorItemCode: 'SET-UP' }),
      facts: { masterProducts: byVendor(['V-1', 'SET-UP', described]) },
    },
    {
      title: 'an item code known as master product, with an empty product list',
      edit: (payload) => {
        payload.productMasterDataList = []
      },
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', described]) },
    },
  ],
  refuses: [
    {
      title: 'an item code in no list',
      edit: set({ vendorItemCode: 'NEW' }),
      at: `${first}/vendorItemCode`,
      says: 'No product with item code "NEW"',
      alsoReports: [descriptionGap],
    },
    {
      title: 'an item code known as master product of another vendor',
      edit: set({ vendorItemCode: 'SET-UP' }),
      facts: { masterProducts: byVendor(['V-2', 'SET-UP', described]) },
      at: `${first}/vendorItemCode`,
      alsoReports: [descriptionGap],
    },
    {
      title: 'and refuses in strict mode an item code in no list',
      strict: true,
      edit: set({ vendorItemCode: 'tom-1' }),
      at: `${first}/vendorItemCode`,
      alsoReports: [descriptionGap],
    },
  ],
})

proveRule(line.productDescription, {
  accepts: [
    { title: 'an item of the product list, which is judged there' },
    {
      title: 'an item whose master product is described',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: knownAs(described),
    },
    {
      title: 'an item whose master product says it is not on the Food Traceability List',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: knownAs(offList),
    },
    {
      title: 'an item of the product list that lacks its packaging there, which is one gap and not two',
      edit: (payload) => delete payload.productMasterDataList[0].packSize,
      alsoReports: ['product/packaging-size'],
    },
    {
      title: 'nothing of a line without item code, which is an error already',
      edit: set({}, 'vendorItemCode'),
      alsoReports: ['shape/required'],
    },
  ],
  refuses: [
    {
      title: 'an item in no list and no master product',
      edit: set({ vendorItemCode: 'NEW' }),
      at: `${first}/vendorItemCode`,
      says: 'Item "NEW" is in no product list and no master product: the line has no product description.',
      alsoReports: ['product-line/item-code-listed'],
    },
    {
      title: 'the same with its name on the line, which is no packaging',
      edit: set({ vendorItemCode: 'NEW', vendorItemDescription: 'Tomatoes' }),
      at: `${first}/vendorItemCode`,
      says: 'the line has no packaging size and no packaging style.',
      alsoReports: ['product-line/item-code-listed'],
    },
    {
      title: 'a master product without packaging size',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: knownAs({ ...described, packSize: ' ' }),
      at: `${first}/vendorItemCode`,
      says: 'The master product of item "NEW" has no packSize.',
    },
    {
      title: 'a master product without packaging size and style',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: knownAs({ ...offList, isFtlItem: true }),
      at: `${first}/vendorItemCode`,
      says: 'has no packSize, no packStyle.',
    },
    {
      title: 'an item that only another vendor has as master product',
      edit: set({ vendorItemCode: 'NEW' }),
      facts: { masterProducts: byVendor(['V-2', 'NEW', described]) },
      at: `${first}/vendorItemCode`,
      alsoReports: ['product-line/item-code-listed'],
    },
  ],
})

proveRule(line.textVisible, {
  accepts: [
    {
      title: 'a scanned lot code with its separators',
      edit: set({ caseLotNumber: '\u001d10GV26063-A\u001d' }),
      alsoReports: ['product-line/lot-code-barcode'],
    },
  ],
  refuses: [
    {
      title: 'an override of direction in a lot code, once',
      edit: set({ caseLotNumber: 'GV\u202e36062', vendorItemDescription: '\u2066x' }),
      at: `${first}/caseLotNumber`,
      says: 'U+202E RIGHT-TO-LEFT OVERRIDE, which cannot be seen. Also with such characters: vendorItemDescription.',
    },
  ],
})

proveGroup('product-line')
