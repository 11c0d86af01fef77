import * as location from '../../src/rules/location.ts'
import { identifierKey } from '../../src/rules/rule.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { byVendor, proveGroup, proveRule } from '../support/records/prove-rule.ts'

/** Changes the ship-from location of an event payload, or takes fields from it. */
const from =
  (changes: object, ...removed: readonly string[]) =>
  (payload: Json) => {
    const [one] = payload.locationMasterList
    Object.assign(one, changes)
    for (const field of removed) delete one[field]
  }

/** The same in a location payload. */
const asMaster =
  (changes: object, ...removed: readonly string[]) =>
  (payload: Json) => {
    Object.assign(payload.locationMasterList, changes)
    for (const field of removed) delete payload.locationMasterList[field]
  }

const kind = 'location'
const first = '/locationMasterList/0'
/** What a location loses with its identification is also missing from its description. */
const gap = 'receiving-event/ship-from-description'
/** The line refers to its lot code source by the GLN of this location. */
const source = 'product-line/tlc-source-place'
const address = { streetAddress1: '5 Quay Street', city: 'Watsonville', state: 'CA', postalCode: '95076' }
const complete = { locationName: 'Harbor Greenhouse', phoneNumber: '+1.831.555.0142', address }

/** Two events of two vendors that share the locations. */
const ofTwoVendors = (payload: Json) => {
  from({}, 'gln', 'duns', 'address')(payload)
  payload.eventList = [payload.eventList, { ...payload.eventList, dataProviderVendorId: 'V-2' }]
}

proveRule(location.identified, {
  accepts: [
    { title: 'a location with gln only', edit: from({}, 'duns', 'address'), alsoReports: [source, gap] },
    { title: 'a location with duns only', edit: from({}, 'gln', 'address'), alsoReports: [source, gap] },
    { title: 'a location with address only', edit: from({}, 'gln', 'duns'), alsoReports: [source] },
    {
      title: 'a location with one field of an address',
      edit: from({ address: { city: 'Watsonville' } }, 'gln', 'duns'),
      alsoReports: [source, gap],
    },
    {
      title: 'a location that the master data of the vendor identifies',
      edit: from({}, 'gln', 'duns', 'address'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-FROM', complete]) },
      alsoReports: [source],
    },
    {
      title: 'a location that the master data of both vendors of a create identifies',
      edit: ofTwoVendors,
      facts: { masterLocations: byVendor(['V-1', 'SHIP-FROM', complete], ['V-2', 'SHIP-FROM', complete]) },
      alsoReports: [source],
    },
    { title: 'a master location with gln only', kind, edit: asMaster({}, 'duns', 'address') },
  ],
  refuses: [
    {
      title: 'a location without gln, duns and address',
      edit: from({}, 'gln', 'duns', 'address'),
      at: first,
      says: '"SHIP-FROM" has no gln, duns or address, and is not set up in the master data of vendor "V-1".',
      alsoReports: [source, gap],
    },
    {
      title: 'a location whose gln, duns and address are blank',
      edit: from({ gln: ' ', duns: '', address: { city: ' ', state: '' } }),
      at: first,
      alsoReports: [source, gap],
    },
    {
      title: 'a location with an empty address',
      edit: from({ address: {} }, 'gln', 'duns'),
      at: first,
      alsoReports: [source, gap],
    },
    {
      title: 'a location with coordinates only, which identify nothing',
      edit: from({}, 'gln', 'duns', 'address'),
      at: first,
      alsoReports: [source, gap],
    },
    {
      title: 'a location known under another code',
      edit: from({}, 'gln', 'duns', 'address'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-TO', complete]) },
      at: first,
      alsoReports: [source, gap],
    },
    {
      title: 'a location known for one vendor of a create and not for the other, and names the other',
      edit: ofTwoVendors,
      facts: { masterLocations: byVendor(['V-1', 'SHIP-FROM', complete]) },
      at: first,
      says: 'is not set up in the master data of vendor "V-2".',
      alsoReports: [source, gap],
    },
    {
      title: 'a master location without gln, duns and address, even when it is known already',
      kind,
      edit: asMaster({}, 'gln', 'duns', 'address'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-FROM', complete]) },
      at: '/locationMasterList',
    },
    {
      title: 'each location of a create on its own',
      kind,
      edit: (payload) => {
        const { gln: _gln, duns: _duns, address: _address, ...bare } = payload.locationMasterList
        payload.locationMasterList = [
          { ...bare, locationCode: 'X' },
          payload.locationMasterList,
          { ...bare, locationCode: 'Y' },
        ]
      },
      at: ['/locationMasterList/0', '/locationMasterList/2'],
    },
  ],
})

proveRule(location.phoneWithAddress, {
  accepts: [
    {
      title: 'a location identified by address with phone number',
      edit: from({}, 'gln', 'duns'),
      alsoReports: [source],
    },
    {
      title: 'a location with address, gln and no phone number',
      edit: from({}, 'phoneNumber'),
      alsoReports: [source, gap],
    },
    {
      title: 'a location with address, duns and no phone number',
      edit: from({}, 'gln', 'phoneNumber'),
      alsoReports: [source, gap],
    },
    {
      title: 'a location with address and no phone number that is set up in master data',
      edit: from({}, 'gln', 'duns', 'phoneNumber'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-FROM', complete]) },
      alsoReports: [source],
    },
    {
      title: 'a master location with gln and no phone number',
      kind,
      edit: asMaster({}, 'phoneNumber'),
    },
  ],
  refuses: [
    {
      title: 'a location identified by address without a phone number',
      edit: from({}, 'gln', 'duns', 'phoneNumber'),
      at: `${first}/phoneNumber`,
      alsoReports: [source, gap],
    },
    {
      title: 'a location identified by address with a blank phone number',
      edit: from({ phoneNumber: ' ' }, 'gln', 'duns'),
      at: `${first}/phoneNumber`,
      alsoReports: [source, gap],
    },
    {
      title: 'a location with address whose gln and duns are blank',
      edit: from({ gln: ' ', duns: '' }, 'phoneNumber'),
      at: `${first}/phoneNumber`,
      alsoReports: [source, gap],
    },
    {
      title: 'a master location identified by address without a phone number',
      kind,
      edit: asMaster({}, 'gln', 'duns', 'phoneNumber'),
      at: '/locationMasterList/phoneNumber',
    },
  ],
})

proveRule(location.glnDigits, {
  accepts: [
    { title: '13 digits', kind, edit: asMaster({ gln: '0614141999996' }) },
    { title: 'a blank gln, which counts as absent', kind, edit: asMaster({ gln: ' ' }) },
  ],
  refuses: ['061414199999', '06141419999960', '061414199999X', '0614141 99999', '+614141999996'].map((gln) => ({
    title: `gln ${gln}`,
    kind,
    edit: asMaster({ gln }),
    at: '/locationMasterList/gln',
    says: 'a GLN has 13 digits.',
  })),
})

proveRule(location.glnCheckDigit, {
  accepts: [{ title: 'a right check digit', kind, edit: asMaster({ gln: '0614141999996' }) }],
  refuses: [
    {
      title: 'a wrong check digit, with the right one',
      edit: (payload) => {
        payload.locationMasterList[1].gln = '0614141999990'
      },
      at: '/locationMasterList/1/gln',
      says: 'gln 0614141999990 ends in 0; its other digits call for 6.',
    },
  ],
})

proveRule(location.dunsDigits, {
  accepts: [
    { title: '9 digits', edit: from({ duns: '012345678' }) },
    { title: 'a blank duns, which counts as absent', edit: from({ duns: '' }) },
  ],
  refuses: ['12345678', '1234567890', '12-345-6789', '12345678A'].map((duns) => ({
    title: `duns ${duns}`,
    edit: from({ duns }),
    at: `${first}/duns`,
    says: 'a DUNS number has 9 digits.',
  })),
})

const pair = ['36 54.60 N', '121 45.41 W']
const fence = [pair, ['36 54.70 N', '121 45.41 W'], ['36 54.70 N', '121 45.50 W']]

proveRule(location.geoOneForm, {
  accepts: [
    { title: 'coordinates' },
    { title: 'a fence', edit: from({ geoLocation: { geoFence: fence } }) },
    { title: 'no position', edit: from({}, 'geoLocation') },
  ],
  refuses: [
    {
      title: 'both forms in one position',
      edit: from({ geoLocation: { gpsCoordinates: pair, geoFence: fence } }),
      at: `${first}/geoLocation`,
      says: 'both forms',
    },
    {
      title: 'a position with neither form',
      edit: from({ geoLocation: {} }),
      at: `${first}/geoLocation`,
      says: 'neither form',
    },
  ],
})

proveRule(location.coordinatesForm, {
  accepts: [
    ['36 54.60 N', '121 45.41 W'],
    ['36°54.60\u2032N', '121°45.41\u2032W'],
    ['36°54\'36"N', '121°45\'24"W'],
    ['36.9100', '-121.7568'],
    ['+36.9', '-121.7'],
    ['36 54', '121 45'],
    [' 36 54.60 N ', '121 45.41 W'],
  ].map((gpsCoordinates) => ({
    title: `the coordinates ${gpsCoordinates.join(', ')}`,
    edit: from({ geoLocation: { gpsCoordinates } }),
  })),
  refuses: [
    [],
    ['36 54.60 N'],
    [...pair, '12 m'],
    ['north', 'west'],
    ['36,91', '121,75'],
    ['', ''],
    ['12345678', '121'],
    ['999 99 N', '121 45.41 W'],
    ['36 60.00 N', '121 45.41 W'],
    ['91 00 N', '121 45.41 W'],
    ['36 54.60 N', '180 00.1 W'],
    ['121 45.41 W', '36 54.60 N'],
    ['-121.7568', '36.9100'],
    ['121 45.41', '36 54.60'],
  ].map((gpsCoordinates) => ({
    title: `the coordinates ${JSON.stringify(gpsCoordinates)}`,
    edit: from({ geoLocation: { gpsCoordinates } }),
    at: `${first}/geoLocation/gpsCoordinates`,
    says: (gpsCoordinates[0] ?? '').includes('121') ? 'has the longitude first' : JSON.stringify(gpsCoordinates),
  })),
})

proveRule(location.fenceForm, {
  accepts: [
    { title: 'a fence of three corners', edit: from({ geoLocation: { geoFence: fence } }) },
    {
      title: 'a corner of the wrong type, which is an error of its own',
      edit: from({ geoLocation: { geoFence: [pair, {}, pair] } }),
      alsoReports: ['shape/type'],
    },
  ],
  refuses: [
    {
      title: 'a fence of two corners',
      edit: from({ geoLocation: { geoFence: fence.slice(1) } }),
      at: `${first}/geoLocation/geoFence`,
      says: '2 corners',
    },
    {
      title: 'a fence without corners',
      edit: from({ geoLocation: { geoFence: [] } }),
      at: `${first}/geoLocation/geoFence`,
    },
    {
      title: 'a corner that is nowhere on Earth, once',
      edit: from({ geoLocation: { geoFence: [pair, ['99 00 N', '121 45.41 W'], ['98 00 N', '121 45.41 W']] } }),
      at: `${first}/geoLocation/geoFence/1`,
      says: 'has a latitude of more than 90 degrees.',
    },
    {
      title: 'a corner that is no pair, and says which',
      edit: from({ geoLocation: { geoFence: [pair, pair, ['36 54.70 N']] } }),
      at: `${first}/geoLocation/geoFence/2`,
      says: 'Corner 3',
    },
  ],
})

proveRule(location.phoneFormat, {
  accepts: ['+1.831.555.0142', '+44.20.7946.0018', '+999.1', ' '].map((phoneNumber) => ({
    title: `phoneNumber ${JSON.stringify(phoneNumber)}`,
    kind,
    edit: asMaster({ phoneNumber }),
  })),
  refuses: ['831-555-0142', '+1 831 555 0142', '1.831.555.0142', '+18315550142', '+1.831.555.0142 x2', 'call us'].map(
    (phoneNumber) => ({
      title: `phoneNumber ${phoneNumber}`,
      edit: from({ phoneNumber }),
      at: `${first}/phoneNumber`,
      says: 'described is +1.999.999.999',
    }),
  ),
})

proveRule(location.typeListed, {
  accepts: ['Internal', 'Supplier', 'Customer', ''].map((locationType) => ({
    title: `locationType ${JSON.stringify(locationType)}`,
    edit: from({ locationType }),
  })),
  refuses: ['supplier', 'Farm', 'constructor'].map((locationType) => ({
    title: `locationType ${locationType}`,
    edit: from({ locationType }),
    at: `${first}/locationType`,
  })),
})

proveRule(location.glnAssignerListed, {
  accepts: ['Internal', 'Trading Partner', 'Other', 'GS1', 'GS1 US', 'GLOBALG.A.P.', 'GLOBALGAP', ' '].map(
    (glnAssignedBy) => ({ title: `glnAssignedBy ${JSON.stringify(glnAssignedBy)}`, edit: from({ glnAssignedBy }) }),
  ),
  refuses: ['internal', 'Somebody', 'GS12'].map((glnAssignedBy) => ({
    title: `glnAssignedBy ${glnAssignedBy}`,
    edit: from({ glnAssignedBy }),
    at: `${first}/glnAssignedBy`,
  })),
})

const again = (changes: object) => (payload: Json) =>
  payload.locationMasterList.push({ ...payload.locationMasterList[0], ...changes })

proveRule(location.alternateLocationCodeUnique, {
  accepts: [
    { title: 'a code of its own', edit: from({ alternateLocationCode: 'urn:x:1' }) },
    {
      title: 'one location of two vendors',
      kind,
      edit: (payload) => {
        const one = { ...payload.locationMasterList, alternateLocationCode: 'urn:x:1' }
        payload.locationMasterList = [one, { ...one, dataProviderVendorId: 'V-2' }]
      },
    },
  ],
  refuses: [
    {
      title: 'a code of both locations of an event',
      edit: (payload) => {
        for (const one of payload.locationMasterList) one.alternateLocationCode = 'urn:x:1'
      },
      at: '/locationMasterList/1/alternateLocationCode',
      says: 'alternateLocationCode "urn:x:1" is already used at /locationMasterList/0.',
    },
    {
      title: 'a code that another record has',
      kind,
      edit: asMaster({ alternateLocationCode: 'urn:x:1' }),
      facts: { heldBy: new Map([[identifierKey('alternateLocationCode', 'urn:x:1', 'SHIP-FROM'), 'r-1']]) },
      at: '/locationMasterList/alternateLocationCode',
      says: 'is that of record r-1.',
    },
  ],
})

proveRule(location.twoLocations, {
  accepts: [
    { title: 'two locations' },
    { title: 'two locations and one of them again', edit: again({}), alsoReports: ['location/code-repeated'] },
    { title: 'a single master location', kind },
    {
      title: 'a list of one, which is an error of its own',
      edit: (payload) => {
        payload.locationMasterList.pop()
        payload.eventList.shipToLocationCode = 'SHIP-FROM'
      },
      alsoReports: ['shape/list-minimum'],
    },
  ],
  refuses: [
    {
      title: 'one location twice',
      edit: (payload) => {
        const [one] = payload.locationMasterList
        payload.locationMasterList = [one, structuredClone(one)]
        payload.eventList.shipToLocationCode = 'SHIP-FROM'
      },
      at: '/locationMasterList',
      says: 'All 2 entries of locationMasterList have the location code "SHIP-FROM"; at least two locations are needed.',
      alsoReports: ['location/code-repeated'],
    },
  ],
})

proveRule(location.identifiersAssigned, {
  accepts: [
    { title: 'numbers that were assigned' },
    { title: 'blank numbers', edit: from({ gln: ' ' }), alsoReports: ['product-line/tlc-source-place'] },
  ],
  refuses: [
    {
      title: 'a GLN and a DUNS number of zeros',
      kind,
      edit: asMaster({ gln: '0'.repeat(13), duns: '0'.repeat(9) }),
      at: ['/locationMasterList/gln', '/locationMasterList/duns'],
      says: 'gln is "0000000000000", which was assigned to nobody as a GLN.',
    },
  ],
})

proveRule(location.codeConflicting, {
  accepts: [
    { title: 'a third location with its own code', edit: again({ locationCode: 'HQ' }) },
    { title: 'the same entry twice', edit: again({}), alsoReports: ['location/code-repeated'] },
    {
      title: 'locations of two vendors with one code in one create',
      kind,
      edit: (payload) => {
        const one = payload.locationMasterList
        payload.locationMasterList = [one, { ...one, dataProviderVendorId: 'V-2' }]
      },
    },
  ],
  refuses: [
    {
      title: 'two entries with one location code that differ',
      edit: again({ gln: '0614141999996' }),
      at: '/locationMasterList/2/locationCode',
      says: 'locationCode "SHIP-FROM" is already used at /locationMasterList/0, with other content',
    },
    {
      title: 'two entries with one location code that differ deep inside',
      edit: again({ geoLocation: { gpsCoordinates: ['36 54.60 N', '121 45.42 W'] } }),
      at: '/locationMasterList/2/locationCode',
    },
  ],
})

proveRule(location.codeRepeated, {
  accepts: [
    { title: 'different locations' },
    {
      title: 'entries with one code that differ, which is an error of another rule',
      edit: again({ market: 'West' }),
      alsoReports: ['location/code-conflicting'],
    },
  ],
  refuses: [
    {
      title: 'the same entry twice',
      edit: again({}),
      at: '/locationMasterList/2/locationCode',
      says: 'with the same content',
    },
    {
      title: 'and refuses in strict mode the same entry twice',
      strict: true,
      edit: again({}),
      at: '/locationMasterList/2/locationCode',
    },
  ],
})

proveRule(location.oneRecordPerCode, {
  accepts: [
    {
      title: 'a create of one code for two vendors, and of two codes for one vendor',
      kind,
      edit: (payload) => {
        const one = payload.locationMasterList
        payload.locationMasterList = [one, { ...one, dataProviderVendorId: 'V-2' }, { ...one, locationCode: 'HQ' }]
      },
    },
    { title: 'a single location', kind },
    {
      title: 'the list of an event, which has rules of its own',
      edit: again({}),
      alsoReports: ['location/code-repeated'],
    },
  ],
  refuses: [
    {
      title: 'a create that names one code of a vendor twice, alike or different, and says where first',
      kind,
      edit: (payload) => {
        const one = payload.locationMasterList
        payload.locationMasterList = [one, { ...one, market: 'West' }, { ...one, locationCode: 'HQ' }, one]
      },
      at: ['/locationMasterList/1/locationCode', '/locationMasterList/3/locationCode'],
      says: 'The entry at /locationMasterList/0 has the same vendor and location code.',
    },
  ],
})

proveRule(location.textVisible, {
  accepts: [{ title: 'an address in Arabic', edit: from({ locationName: '\u200fمزرعة الوادي\u200f 7' }) }],
  refuses: [
    {
      title: 'an embedding without its end, in an address, beside another field',
      edit: from({ region: 'West\u00ad', address: { ...address, city: '\u202bWatsonville' } }),
      at: `${first}/address/city`,
      says: 'Character 1 of city is U+202B RIGHT-TO-LEFT EMBEDDING, which cannot be seen. Also with such characters: region.',
    },
  ],
})

proveGroup('location')
