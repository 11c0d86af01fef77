// npm run bench:capture: how long it takes to capture EPCIS documents of 1,000 receiving events, to
// recognise them when they are sent again, and to create as many events with POST.
import { lineCount, loadEvents, onBothDatabases, payloadOf, place } from './loaded-events.ts'
import { show } from './progress.ts'
import type { Place } from './service-under-load.ts'
import { markdownTable } from './table.ts'

const eventsPerDocument = 1_000
const eventsPerCreate = 500

const places = [place('FROM'), place('TO')]
const sgln = (n: number) => `urn:epc:id:sgln:0614141.0000${n}.0`

/** Events a minute apart, each of five lots, with a purchase order. */
const documentOf = (first: number) => ({
  '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-04T18:00:00Z',
  epcisBody: {
    eventList: Array.from({ length: eventsPerDocument }, (_, i) => ({
      type: 'ObjectEvent',
      eventID: `urn:uuid:00000000-0000-4000-8000-${String(first + i).padStart(12, '0')}`,
      eventTime: new Date(Date.UTC(2026, 0, 1) + (first + i) * 60_000).toISOString(),
      eventTimeZoneOffset: '-08:00',
      action: 'OBSERVE',
      bizStep: 'receiving',
      bizLocation: { id: sgln(2) },
      bizTransactionList: [{ type: 'po', bizTransaction: `urn:epcglobal:cbv:bt:0614141000029:${first + i}` }],
      sourceList: [{ type: 'location', source: sgln(1) }],
      quantityList: Array.from({ length: lineCount }, (_, n) => ({
        epcClass: `urn:epc:class:lgtin:0614141.100041.LOT-${first + i}-${n}`,
        quantity: 40,
      })),
    })),
  },
})

/** What the records need and the events lack. */
const defaults = {
  dataProviderVendorId: 'V-1001',
  shipQuantityUom: 'case',
  locationNameIsCode: true,
  locationPhoneNumber: '+1.831.555.0100',
  tlcSourceIsShipFrom: true,
}

async function measure(database: Place, events: number) {
  const { send, end } = await loadEvents(database, 0, () => ({}))
  try {
    await send('PUT', '/capture/senders', { senders: [defaults] })
    const documents = Array.from({ length: Math.ceil(events / eventsPerDocument) }, (_, i) =>
      documentOf(i * eventsPerDocument),
    )
    /** Seconds until all documents have `wanted` as the verdict of each event. */
    const captureAll = async (wanted: 'captured' | 'duplicate'): Promise<number> => {
      const at = performance.now()
      for (const [i, document] of documents.entries()) {
        const answer = await send('POST', '/capture', document)
        if (answer[wanted] !== eventsPerDocument)
          throw new Error(`Not all are ${wanted}: ${JSON.stringify(answer).slice(0, 500)}`)
        show(`document ${i + 1} of ${documents.length}: ${wanted}`)
      }
      return (performance.now() - at) / 1_000
    }
    const captured = await captureAll('captured')
    const recognised = await captureAll('duplicate')
    const at = performance.now()
    for (let first = 0; first < events; first += eventsPerCreate)
      await send(
        'POST',
        '/data-provider/events/receiving',
        payloadOf(
          Array.from({ length: Math.min(eventsPerCreate, events - first) }, (_, i) => first + i),
          places,
        ),
      )
    return { captured, recognised, created: (performance.now() - at) / 1_000 }
  } finally {
    await end()
  }
}

const { title, events, measured } = await onBothDatabases(measure)
const perSecond = (seconds: number): string => (events / seconds).toFixed(0)
console.log(
  [
    title,
    `${events} receiving events of ${lineCount} lots, in EPCIS documents of ${eventsPerDocument} events, and as payloads of ${eventsPerCreate}; one request after another.`,
    '',
    markdownTable(
      ['database', 'captured/s', 'recognised/s', 'created by POST/s', 'captured to created'],
      measured.map(([name, { captured, recognised, created }]) => [
        name,
        perSecond(captured),
        perSecond(recognised),
        perSecond(created),
        (created / captured).toFixed(2),
      ]),
    ),
  ].join('\n'),
)
