// The document around the events of one page: what EPCIS 2.0 answers a query with. Source: decision 0032.
import { context } from './extension.ts'
import { type ExportedVersion, objectEventOf } from './object-event.ts'

/** The document as JSON text, event by event; made when asked for. */
export async function* queryDocument(
  queryName: string,
  createdAt: Date,
  batches: AsyncIterable<readonly ExportedVersion[]>,
): AsyncGenerator<string> {
  const about = {
    '@context': context,
    type: 'EPCISQueryDocument',
    schemaVersion: '2.0',
    creationDate: createdAt.toISOString(),
  }
  const query = JSON.stringify(queryName)
  const head = `${JSON.stringify(about).slice(0, -1)},"epcisBody":{"queryResults":{"queryName":${query},"resultsBody":{"eventList":[`
  // With the first event, so that nothing is said before it is known that there is something to say.
  let before = head
  for await (const batch of batches)
    for (const version of batch) {
      yield before + JSON.stringify(objectEventOf(version))
      before = ','
    }
  yield `${before === head ? head : ''}]}}}}`
}
