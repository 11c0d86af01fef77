// Writing records: judged while typing, refused at the field, and never over somebody else's
// version.
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goByMenu, openBrowser, type Visit, visit } from '../../../support/pages/browser.ts'
import {
  changed,
  eventPayload,
  locationPayload,
  type Payload,
  paths,
  productPayload,
  shippingPayload,
} from '../../../support/records/payloads.ts'
import { isShortRun } from '../../../support/runs.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string; expected: RegExp }
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = {
    url: service.url,
    key: await provider.key('writer'),
    expected: /the server responded with a status of (412|422|409)/,
  }
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const created = async (body: Payload = eventPayload()): Promise<string> =>
  (await provider.call('POST', paths.receivingEvent, { body })).body.request_ids[0]

const read = async (id: string): Promise<Payload> => (await provider.call('GET', `${paths.receivingEvent}/${id}`)).body

const field = (page: Page) => page.getByLabel('Payload as JSON')

/** The editor of a record, with its payload as JSON. */
async function editAsJson(id: string, { expected } = options): Promise<Visit> {
  const visited = await visit(browser, `/events/${id}/edit`, { ...options, expected })
  await visited.page.getByRole('button', { name: 'JSON', exact: true }).click()
  return visited
}

const edited = async (page: Page, edit: (payload: Payload) => void): Promise<void> => {
  const payload = JSON.parse(await field(page).inputValue())
  edit(payload)
  await field(page).fill(JSON.stringify(payload, null, 2))
}

/** The label or the id of what has the focus. */
const focused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.id')

const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

test('a finding appears while typing, leads to its place, and disappears when it is corrected', async () => {
  const id = await created()
  const { page, end } = await editAsJson(id)
  await page.getByText('Nothing would change').waitFor()
  await edited(page, (payload) => {
    payload.eventList.productList[1].harvestDate = '2026-02-30'
  })
  await page.getByText('The record would be refused').waitFor()
  await page.getByRole('button', { name: 'Product line 2 › Harvest date', exact: true }).click()
  const selected =
    '(({ value, selectionStart, selectionEnd }) => value?.slice(selectionStart, selectionEnd))(document.activeElement)'
  await expect.poll(() => page.evaluate(selected)).toBe('"2026-02-30"')
  expect(await page.locator('.line-numbers .error').count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: 'Replace version 1' }).isDisabled()).toBe(true)
  await edited(page, (payload) => {
    payload.eventList.productList[1].harvestDate = '2026-02-28'
  })
  await page.getByText('The record would be replaced').waitFor()
  await page.getByRole('button', { name: 'Replace version 1' }).click()
  await page.getByText('Stored as version 2').waitFor()
  expect((await read(id)).eventList.productList[1].harvestDate).toBe('2026-02-28')
  await end()
})

test('invalid JSON is reported with line and column, and not sent to the service', async () => {
  const { page, end } = await editAsJson(await created())
  await field(page).fill('{\n  "payloadId": "A",\n  "payloadId": "B"\n}')
  await page.getByText('occurs twice in one object').waitFor()
  await page.getByRole('button', { name: 'Line 3, column 3' }).waitFor()
  await field(page).fill('{ "grossWeight": 12345678901234567890 }')
  await page.getByText('a number that cannot be stored exactly').waitFor()
  await end()
})

test('fields to be removed are listed, and removed only after a confirmation', async () => {
  const id = await created()
  const { page, end } = await editAsJson(id)
  await edited(page, (payload) => {
    delete payload.eventList.asnNumber
    delete payload.eventList.billOfLadingNumber
  })
  await page.getByText('2 fields removed').first().waitFor()
  await page.getByText('The record would be replaced').waitFor()
  await page.getByRole('button', { name: 'Replace version 1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This removes 2 fields').waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect((await read(id)).eventList.asnNumber).toBe('ASN-771203')
  await page.getByRole('button', { name: 'Replace version 1' }).click()
  await dialog.getByRole('button', { name: 'Remove and replace' }).click()
  await page.getByText('Stored as version 2').waitFor()
  expect(await read(id)).not.toHaveProperty('eventList.asnNumber')
  await end()
})

test('the form comes first, edits the same payload, and shows a finding at its field', async () => {
  const id = await created()
  const { page, end } = await visit(browser, `/events/${id}/edit`, options)
  const quantity = cell(page, 'Quantity, line 3')
  await quantity.fill('many')
  await page.getByText('The record would be refused').waitFor()
  await expect.poll(() => quantity.getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await expect.poll(() => field(page).inputValue()).toContain('"shipQuantity": "many"')
  // The choice is kept.
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.reload()
  await field(page).waitFor()
  await page.getByRole('button', { name: 'Form', exact: true }).click()
  await quantity.fill('many')
  await page.getByRole('button', { name: 'Product line 3 › Quantity', exact: true }).click()
  await expect.poll(() => focused(page)).toBe('Quantity, line 3')
  await quantity.fill('25')
  await page.getByRole('button', { name: 'Line 3: all fields' }).click()
  await page.getByRole('group', { name: 'Line 3: all fields' }).getByLabel('Country of origin').fill('MEX')
  await page.getByText('The record would be replaced').waitFor()
  await page.getByRole('button', { name: 'Replace version 1' }).click()
  await page.getByText('Stored as version 2').waitFor()
  expect((await read(id)).eventList.productList[2]).toMatchObject({ shipQuantity: 25, countryOfOrigin: 'MEX' })
  await end()
})

test.skipIf(isShortRun)(
  'a position is entered as coordinates or as a fence, and an empty one is left out',
  async () => {
    const id = await created()
    const { page, end } = await editAsJson(id)
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await page.getByRole('button', { name: 'Show details in this event of the receiving location' }).click()
    const position = page.locator('[id="at:/locationMasterList/1/geoLocation"]')
    await position.getByRole('button', { name: 'Position' }).click()
    const coordinates = position.getByRole('group', { name: 'GPS coordinates' })
    await coordinates.getByLabel('Latitude').fill('36 40.66 N')
    await coordinates.locator('.finding.warning').waitFor()
    await coordinates.getByLabel('Longitude').fill('121 39.33 W')
    await coordinates.locator('.finding').waitFor({ state: 'detached' })
    await position.getByRole('button', { name: 'Add corner' }).click()
    await position.getByText('Position has both forms.').first().waitFor()
    await coordinates.getByLabel('Latitude').fill('')
    await coordinates.getByLabel('Longitude').fill('')
    await position.getByRole('button', { name: 'Remove corner 1' }).click()
    await page.getByText('Nothing would change').waitFor()
    const corners = [
      ['36 40.66 N', '121 39.33 W'],
      ['36 40.70 N', '121 39.33 W'],
      ['36 40.70 N', '121 39.40 W'],
    ] as const
    for (const [i, [latitude, longitude]] of corners.entries()) {
      await position.getByRole('button', { name: 'Add corner' }).click()
      const corner = position.getByRole('group', { name: `Corner ${i + 1}` })
      await corner.getByLabel('Latitude').fill(latitude)
      await corner.getByLabel('Longitude').fill(longitude)
    }
    await page.getByText('The record would be replaced').waitFor()
    await page.getByRole('button', { name: 'Replace version 1' }).click()
    await page.getByText('Stored as version 2').waitFor()
    expect((await read(id)).locationMasterList[1].geoLocation).toEqual({ geoFence: corners })
    await end()
  },
)

test('a stale edit shows both sets of changes, which can be merged', async () => {
  const id = await created()
  const { page, end } = await editAsJson(id)
  await page.getByText('Nothing would change').waitFor()
  const theirs = await read(id)
  changed.receivingEvent(theirs)
  await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: theirs })
  await edited(page, (payload) => {
    payload.eventList.methodOfPayment = 'Collect'
  })
  await page.getByRole('button', { name: 'See what changed' }).click()
  await page.getByText('You started from version 1. The current version is 2.').waitFor()
  await page.getByRole('heading', { name: 'Theirs: 1 change' }).waitFor()
  await page.getByRole('heading', { name: 'Mine: 1 change' }).waitFor()
  await page.getByRole('button', { name: 'Merge my changes into theirs' }).click()
  await page.getByText('The record would be replaced').waitFor()
  await page.getByRole('button', { name: 'Replace version 2' }).click()
  await page.getByText('Stored as version 3').waitFor()
  const { eventList } = await read(id)
  expect(eventList.methodOfPayment).toBe('Collect')
  expect(eventList.productList).toEqual(theirs.eventList.productList)
  await end()
})

test('a draft outlives a reload, other tabs show it and go on with it, and its person discards it', async () => {
  const id = await created()
  // What one tab is just asking when the other signs out is answered with 401.
  const { page, end } = await editAsJson(id, { ...options, expected: /a status of 401/ })
  await edited(page, (payload) => {
    payload.eventList.methodOfPayment = 'Collect'
  })
  await page.getByText('Your draft is kept on this device').waitFor()
  await page.reload()
  await expect.poll(() => field(page).inputValue()).toContain('Collect')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect.poll(() => field(other).inputValue()).toContain('Collect')
  await edited(other, (payload) => {
    payload.eventList.methodOfPayment = 'Prepaid'
  })
  await expect.poll(() => field(page).inputValue()).toContain('Prepaid')
  // Signing out in one tab throws nothing away in the other.
  await other.getByRole('button', { name: `${provider.name} writer` }).click()
  await other.getByRole('button', { name: 'Sign out', exact: true }).click()
  await other.getByText('1 draft of yours is not sent yet').waitFor()
  await other.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByLabel('Key', { exact: true }).fill(options.key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await expect.poll(() => field(page).inputValue()).toContain('Prepaid')
  await expect.poll(() => field(other).inputValue()).toContain('Prepaid')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect.poll(() => field(other).inputValue()).not.toContain('Prepaid')
  await end()
})

test('a replacement whose answer was lost is recognised as one’s own', async () => {
  const id = await created()
  const { page, end } = await editAsJson(id, { ...options, expected: /ERR_FAILED|a status of 412/ })
  await edited(page, (payload) => {
    payload.eventList.methodOfPayment = 'Collect'
  })
  await page.getByText('The record would be replaced').waitFor()
  // It arrives, and its answer does not.
  let attempts = 0
  await page.route(`**${paths.receivingEvent}/${id}`, async (route) => {
    if (route.request().method() !== 'PUT' || ++attempts > 1) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  const send = page.getByRole('button', { name: 'Replace version 1' })
  await send.click()
  await expect.poll(async () => (await read(id)).eventList.methodOfPayment).toBe('Collect')
  await send.click()
  await page.getByText('Stored as version 2').waitFor()
  await end()
})

test('a reader sees at once that a record cannot be created', async () => {
  const { page, end } = await visit(browser, '/events/new', { ...options, key: await provider.key('reader') })
  await page.getByText('This key cannot create receiving events').waitFor()
  expect(await page.getByRole('textbox', { name: 'Purchase order' }).count()).toBe(0)
  await end()
})

test('a draft survives leaving the page and coming back', async () => {
  const { page, end } = await editAsJson(await created())
  await edited(page, (payload) => {
    payload.eventList.methodOfPayment = 'Collect'
  })
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('heading', { name: 'Version 1 current' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Discard draft' }).waitFor()
  await expect.poll(() => field(page).inputValue()).toContain('Collect')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect.poll(() => field(page).inputValue()).not.toContain('Collect')
  await end()
})

test.each([
  ['/events/new', 'Create receiving event', 'Purchase order', 'PO-1'],
  ['/products/new', 'Create master product', 'Item description', 'Romaine'],
  ['/locations/new', 'Create location', 'Location name', 'Cooler'],
])('%s begins empty, and an example is created only once it is changed', async (path, button, label, text) => {
  // A new provider: an event sets its locations up, whose codes are then taken.
  const provider = await service.provider()
  const { page, end } = await visit(browser, path, { ...options, key: await provider.key('writer') })
  await page.getByText('Nothing is entered yet').waitFor()
  const main = page.getByRole('button', { name: button })
  expect(await page.getByLabel(label, { exact: false }).first().inputValue()).toBe('')
  expect(await main.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Fill in an example' }).click()
  await page.getByText('This is the example. It is made up').waitFor()
  expect(await main.isDisabled()).toBe(true)
  await page.getByLabel(label, { exact: false }).first().fill(text)
  await page.getByText('The record would be created').waitFor()
  await main.click()
  await page.getByText(/^The .* is stored$/).waitFor()
  await page.getByRole('link', { name: 'Version 1' }).waitFor()
  await end()
})

test('an event is filled in as the work goes: by what is stored, by scanned labels and by pasted rows', async () => {
  const provider = await service.provider()
  const gtin = '10614141000415'
  await provider.call('POST', paths.masterProduct, {
    body: productPayload((payload) => {
      Object.assign(payload.productMasterDataList, {
        dataProviderVendorId: 'V-1001',
        itemCode: 'ROM-24',
        itemDescription: 'Romaine hearts 24 ct',
        gtin,
      })
    }),
  })
  await provider.call('POST', paths.location, {
    body: locationPayload((payload) => {
      Object.assign(payload.locationMasterList, {
        dataProviderVendorId: 'V-1001',
        locationCode: 'DC-07',
        locationName: 'Distribution Center 7',
      })
    }),
  })
  const { page, end } = await visit(browser, '/events/new', { ...options, key: await provider.key('writer') })
  const pick = async (label: string, text: string, name: string) => {
    await page.getByRole('combobox', { name: label }).fill(text)
    await page.getByRole('option', { name }).click()
  }
  await pick('Vendor', 'v-1', 'V-1001')
  await page.getByLabel('Purchase order', { exact: false }).first().fill('PO-7')
  const needed = page.getByRole('region', { name: 'Still needed' })
  await needed.getByRole('button', { name: 'Receiving location' }).click()
  const receiving = page.getByRole('combobox', { name: 'Receiving location' })
  await expect.poll(() => focused(page)).toBe('field:/eventList/shipToLocationCode')
  // A stored location is found by its name, with the keyboard alone.
  await receiving.fill('center 7')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => receiving.inputValue()).toBe('DC-07')
  await page.getByRole('combobox', { name: 'Ship-from location' }).fill('FARM-9')
  await page.getByText('New location').waitFor()
  await page.getByLabel('Location name', { exact: false }).fill('Farm 9')
  await page.getByLabel('GLN', { exact: false }).first().fill('0614141000012')
  // A scanner types the label, and Enter.
  const scan = page.getByLabel('Scan or paste a label')
  await scan.fill(`]C101${gtin}13260302\u001d10GV26063-A`)
  await page.keyboard.press('Enter')
  await page.getByText('Line 1: item ROM-24, lot GV26063-A.').waitFor()
  await page.getByText('Checking…').waitFor({ state: 'detached' })
  await cell(page, 'Quantity, line 1').fill('56')
  await cell(page, 'Unit, line 1').fill('case')
  await page.getByRole('button', { name: 'Paste rows' }).click()
  const rows =
    'Item code\tLot\tQty\tUOM\tColour\nROM-24\tGV26063-B\t40\tcase\tgreen\nROM-24\tGV26063-C\t12\tcase\tgreen\n'
  await page.getByLabel('Rows', { exact: true }).fill(rows)
  await page.getByRole('button', { name: 'Add rows' }).click()
  await page.getByText('2 rows pasted from line 2 on. Left out, as no field is called so: Colour.').waitFor()
  await page.getByText('108 case in 3 lines').waitFor()
  await page.getByRole('button', { name: 'Duplicate line 3' }).click()
  await page.getByRole('button', { name: 'Remove line 4' }).click()
  // The day there, and not the day in UTC.
  await page.getByLabel('Received at: Date').fill('2026-03-04')
  await page.getByLabel('Received at: Time', { exact: false }).first().fill('22:30')
  await page.getByLabel('Received at: Time zone').selectOption('America/New_York')
  await page.getByText('Date received: 2026-03-04').waitFor()
  for (const line of [1, 2, 3]) {
    if (line > 1) await page.keyboard.press('Escape')
    await cell(page, `TLC source GLN, line ${line}`).fill('0614141000012')
  }
  await page.getByText('The record would be created').waitFor()
  await page.getByRole('button', { name: 'Create receiving event' }).click()
  await page.getByText(/^The .* is stored$/).waitFor()
  const { body } = await provider.call('GET', paths.receivingEvent)
  expect(body.content[0]).toMatchObject({
    locationMasterList: [
      { locationCode: 'DC-07', locationName: 'Distribution Center 7' },
      { locationCode: 'FARM-9', locationName: 'Farm 9', gln: '0614141000012' },
    ],
    eventList: {
      dataProviderVendorId: 'V-1001',
      eventDateTime: '2026-03-04T22:30:00-05:00',
      shipFromLocationCode: 'FARM-9',
      shipToLocationCode: 'DC-07',
    },
  })
  expect(body.content[0].eventList.productList).toEqual([
    {
      vendorItemCode: 'ROM-24',
      vendorItemDescription: 'Romaine hearts 24 ct',
      caseGtin: gtin,
      caseLotNumber: 'GV26063-A',
      packagingDate: '2026-03-02',
      shipQuantity: 56,
      shipQuantityUom: 'case',
      tlcSourceReferenceGln: '0614141000012',
    },
    ...['B', 'C'].map((lot, i) => ({
      vendorItemCode: 'ROM-24',
      caseLotNumber: `GV26063-${lot}`,
      shipQuantity: [40, 12][i],
      shipQuantityUom: 'case',
      tlcSourceReferenceGln: '0614141000012',
    })),
  ])
  await end()
})

test('a date is pasted as a mail has it: the field says what it became, and asks which of two is meant', async () => {
  const provider = await service.provider()
  const { page, end } = await visit(browser, '/events/new', { ...options, key: await provider.key('writer') })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const paste = async (into: Locator, text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await into.focus()
    await page.keyboard.press('Control+V')
  }
  const received = page.getByLabel('Received at: Date')
  await paste(received, ' 7/14/2026 2:05 PM\n')
  await page.getByText('“7/14/2026 2:05 PM” was read as July 14, 2026.').waitFor()
  expect(await received.inputValue()).toBe('2026-07-14')
  expect(await page.getByLabel('Received at: Time', { exact: false }).first().inputValue()).toBe('14:05')
  const ordered = page.getByLabel('Purchase order date')
  await paste(ordered, '<img src=x onerror=alert(1)>')
  await page.getByText('“<img src=x onerror=alert(1)>” is not a date.').waitFor()
  await paste(ordered, '07/04/26')
  await page.getByText('can be two dates. Which one is meant?').waitFor()
  expect(await ordered.inputValue()).toBe('')
  await page.getByRole('button', { name: 'July 4, 2026' }).click()
  await expect.poll(() => ordered.inputValue()).toBe('2026-07-04')
  await page.getByRole('button', { name: 'Read as April 7, 2026' }).click()
  await expect.poll(() => ordered.inputValue()).toBe('2026-04-07')
  // The answer is kept, and a column that has a date of one reading needs none.
  await page.getByRole('button', { name: 'Add line' }).click()
  await paste(cell(page, 'Lot code, line 1'), 'Lot code\tHarvest date\tProduction date\nL1\t7/4/2026\t7/14/2026\n')
  const harvested = cell(page, 'Harvest date, line 1')
  await expect.poll(() => harvested.inputValue()).toBe('2026-07-04')
  expect(await cell(page, 'Production date, line 1').inputValue()).toBe('2026-07-14')
  await paste(harvested, '7/5/2026')
  await expect.poll(() => harvested.inputValue()).toBe('2026-05-07')
  await harvested.fill('12/31/2026')
  await harvested.press('Tab')
  await expect.poll(() => harvested.inputValue()).toBe('2026-12-31')

  // Filters take the same forms; those that take a time take it in UTC.
  await goByMenu(page, 'Records', 'Receiving events')
  await page.getByRole('button', { name: 'More filters' }).click()
  const from = page.getByLabel('Received from (UTC)')
  await paste(from, 'Wed, Mar 4, 2026 at 9:30:44 AM')
  await page.getByText('was read as March 4, 2026, 09:30:44 UTC.').waitFor()
  await paste(from, '2026-03-04T23:30:44.123-05:00')
  await page.getByText('was read as March 5, 2026, 04:30:44 UTC.').waitFor()
  expect(await from.inputValue()).toBe('2026-03-05T04:30:44')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('eventStartDateTime')).toBe('2026-03-05T04:30:44Z')
  await end()
})

test.skipIf(isShortRun)('five thousand lines are edited like five', async () => {
  const line = eventPayload().eventList.productList[0]
  const id = await created(
    eventPayload((payload) => {
      payload.eventList.productList = Array.from({ length: 5_000 }, (_, n) => ({ ...line, caseLotNumber: `L${n + 1}` }))
    }),
  )
  const { page, end } = await visit(browser, `/events/${id}/edit`, options)
  await cell(page, 'Lot code, line 1').press('ArrowDown')
  await expect.poll(() => focused(page)).toBe('Lot code, line 2')
  expect(await page.locator('.line-scroller tbody tr').count()).toBeLessThan(60)
  await page.evaluate('void (document.querySelector(".line-scroller").scrollTop = 1e9)')
  await cell(page, 'Lot code, line 5000').fill('LAST')
  await page.getByRole('button', { name: 'Add line' }).click()
  await page.getByText('An event takes 5,000 lines at most.').waitFor()

  // As JSON each has a line; the field is the one of the browser, with its undo and its keys.
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await expect.poll(() => field(page).inputValue()).toContain('"LAST"')
  const text = await field(page).inputValue()
  const number = text.split('\n').findIndex((one) => one.includes('"LAST"')) + 1
  expect(text.split('\n').filter((one) => one.includes('"caseLotNumber"'))).toHaveLength(5_000)
  await field(page).focus()
  const after = text.indexOf('"LAST"') + '"LAST"'.length
  await page.evaluate(`document.activeElement.setSelectionRange(${after}, ${after})`)
  await page.keyboard.insertText(', "bestBeforeDate": "2026-02-30"')
  await page.getByText('The record would be refused').waitFor()
  await page.getByRole('button', { name: 'Product line 5000 › Best before date', exact: true }).click()
  const shown = `(({ value, selectionStart, selectionEnd, scrollLeft, scrollTop }) =>
    [value.slice(selectionStart, selectionEnd), scrollLeft > 0, scrollTop > 0])(document.activeElement)`
  await expect.poll(() => page.evaluate(shown)).toEqual(['"2026-02-30"', true, true])
  await page.locator('.line-numbers .error').getByText(String(number), { exact: true }).waitFor()
  await page.keyboard.press('Control+Z')
  await page.getByText('The record would be replaced').waitFor()
  expect(await field(page).inputValue()).toBe(text)
  await end()
})

test('a correction leaves out the fields that describe the earlier payload, and causes no warning of its own', async () => {
  const id = await created({ ...eventPayload(), payloadId: `P-${Date.now()}` })
  const { page, end } = await editAsJson(id)
  await page.getByText('Nothing would change').waitFor()
  expect(JSON.parse(await field(page).inputValue())).not.toHaveProperty('payloadId')
  await page.getByText('Payload id and transmission time are left out').waitFor()
  await edited(page, changed.receivingEvent)
  await page.getByText('The record would be replaced').waitFor()
  await page.getByRole('button', { name: 'Replace version 1' }).click()
  await page.getByText('Stored as version 2').waitFor()
  expect(await read(id)).not.toHaveProperty('payloadId')
  const { body } = await provider.call('GET', `${paths.receivingEvent}/${id}/findings`)
  expect(body.findings.map(({ rule }: { rule: string }) => rule)).not.toContain('payload/payload-id-unique')
  await end()
})

test('an id of another kind is reported with a link, and offers no actions', async () => {
  const product = (await provider.call('POST', paths.masterProduct, { body: productPayload() })).body.request_ids[0]
  const { page, end } = await visit(browser, `/events/${product}`, { ...options, expected: /status of 404/ })
  await page.getByText('It is the id of a').waitFor()
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Copy curl' }).count()).toBe(0)
  await page.getByRole('link', { name: 'master product', exact: true }).click()
  await page.getByRole('heading', { name: /^Master product/ }).waitFor()
  await end()
})

test('an event can be voided with a reason, which its page shows, and restored', async () => {
  const id = await created()
  const { page, end } = await visit(browser, `/events/${id}`, { ...options, expected: /status of 412/ })
  const dialog = page.getByRole('dialog', { name: 'Void this receiving event?' })
  await page.getByRole('button', { name: 'Void…', exact: true }).click()
  await dialog.getByRole('button', { name: 'Void event', exact: true }).click()
  await dialog.getByText('Say why the record was entered by mistake.').waitFor()
  const why = 'Entered twice, <b>see</b> the other'
  // Somebody else was first: nothing is voided that was not seen.
  await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: eventPayload() })
  await dialog.getByLabel('Reason').fill(why)
  await page.keyboard.press('Enter')
  await dialog.getByText('The record has changed in the meantime').waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: 'Void…', exact: true }).click()
  await dialog.getByLabel('Reason').fill(why)
  await dialog.getByRole('button', { name: 'Void event', exact: true }).click()

  const mark = page.getByRole('region', { name: 'Voided' })
  await mark.getByText(why).waitFor()
  expect(await page.getByRole('button', { name: 'Void…', exact: true }).count()).toBe(0)
  expect((await provider.call('GET', `${paths.receivingEvent}/${id}`)).headers.get('record-voided')).toBe('true')
  await page.goto(`${service.url}/console/voided`)
  const row = page.getByRole('row').filter({ hasText: why })
  await row.getByRole('link').click()
  await mark.waitFor()
  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Version 3' })
  await entry.getByText(why).waitFor()
  await page.getByRole('link', { name: 'Record', exact: true }).click()
  await mark.getByRole('link', { name: 'Restore it', exact: true }).click()
  await page.getByRole('button', { name: 'Restore as version 4', exact: true }).click()
  await page.getByText('Version 2 was restored as version 4').waitFor()
  await page.getByRole('link', { name: 'Record', exact: true }).click()
  await page.getByRole('button', { name: 'Void…', exact: true }).waitFor()
  expect(await mark.count()).toBe(0)
  await end()
})

test('a shipping event that was voided says so, is listed with the others, and can be restored', async () => {
  const body = shippingPayload(({ eventList }) => delete eventList.purchaseOrderNumber)
  const [id] = (await provider.call('POST', paths.shippingEvent, { body })).body.request_ids
  const reason = 'Never left the dock'
  await provider.call('POST', `${paths.shippingEvent}/${id}/void`, { body: { reason } })
  const { page, end } = await visit(browser, '/voided', options)
  const row = page.getByRole('row').filter({ hasText: reason })
  await row.getByRole('cell', { name: 'Shipped', exact: true }).waitFor()
  await row.getByRole('link', { name: 'No purchase order', exact: true }).click()
  const mark = page.getByRole('region', { name: 'Voided' })
  await mark.getByText(reason).waitFor()
  await mark.getByText('This shipping event is left out').waitFor()
  await mark.getByRole('link', { name: 'Restore it', exact: true }).click()
  await page.getByRole('button', { name: 'Restore as version 3', exact: true }).click()
  await page.getByText('Version 1 was restored as version 3').waitFor()
  await end()
})
