// Collects all events of a selection, because the service answers with pages, as the standard says.
import type { Client } from './client.ts'
import type { ExportEpcisRequest } from './generated/methods.ts'
import type { EpcisDocument, EpcisQueryDocument } from './generated/shapes.ts'

type Document = EpcisQueryDocument | EpcisDocument

/** File names of one document with all events, and of the documents for a capture interface. */
export const epcisFileName = 'events.epcis.jsonld'
export const captureFileName = 'events.epcis.ndjson'

/** Events fetched with one request. */
const perPage = 100

/** No event matches the selection. */
export class NothingFound extends Error {
  override readonly name = 'NothingFound'
}

/** @throws NothingFound before any page, when there is no event. */
async function* pagesOf(api: Pick<Client, 'exportEpcis'>, request: ExportEpcisRequest): AsyncGenerator<Document> {
  let nextPageToken: string | null = null
  do {
    const { body, next } = await api.exportEpcis({
      perPage,
      ...request,
      ...(nextPageToken !== null && { nextPageToken }),
    })
    if (nextPageToken === null && eventsOf(body).length === 0)
      throw new NothingFound(`No ${request.kind ?? `${request.bizStep ?? 'receiving'} event`} matches.`)
    yield body
    nextPageToken = next === undefined ? null : new URL(next, 'http://service').searchParams.get('nextPageToken')
  } while (nextPageToken !== null)
}

/**
 * The text of one document with the events of all pages. Only one page is in memory at a time.
 * @throws NothingFound before any text, when there is no event.
 */
export async function* epcisDocument(
  api: Pick<Client, 'exportEpcis'>,
  request: ExportEpcisRequest,
): AsyncGenerator<string> {
  let tail = ''
  for await (const page of pagesOf(api, request)) {
    const events = eventsOf(page)
      .map((event) => JSON.stringify(event))
      .join(',\n')
    if (tail === '') {
      const whole = JSON.stringify(withoutEvents(page))
      const at = whole.lastIndexOf('"eventList":[') + '"eventList":['.length
      tail = `\n${whole.slice(at)}\n`
      yield `${whole.slice(0, at)}\n${events}`
    } else if (events !== '') yield `,\n${events}`
  }
  yield tail
}

/**
 * One document a line, each small enough for a capture interface.
 * @throws NothingFound before any text, when there is no event.
 */
export async function* captureDocuments(
  api: Pick<Client, 'exportEpcis'>,
  request: ExportEpcisRequest,
): AsyncGenerator<string> {
  for await (const page of pagesOf(api, { ...request, documentType: 'EPCISDocument' }))
    yield `${JSON.stringify(page)}\n`
}

const eventsOf = ({ epcisBody: body }: Document) =>
  'queryResults' in body ? body.queryResults.resultsBody.eventList : body.eventList

const withoutEvents = (document: Document): unknown =>
  'queryResults' in document.epcisBody
    ? {
        ...document,
        epcisBody: { queryResults: { ...document.epcisBody.queryResults, resultsBody: { eventList: [] } } },
      }
    : { ...document, epcisBody: { eventList: [] } }
