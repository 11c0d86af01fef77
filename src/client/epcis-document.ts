// All events of a choice as one EPCIS document: the service answers with pages, as the standard says.
import type { Static } from 'typebox'
import type { EpcisQueryDocument, exportEpcis } from '../operations/export-epcis.ts'
import type { Asked } from './asked.ts'
import type { Client } from './client.ts'

type EpcisAsk = Asked<typeof exportEpcis>

/** What the document is called when it is saved. */
export const epcisFileName = 'events.epcis.jsonld'

/** Events fetched with one request. */
const perPage = 100

/** Nothing fits what was asked for. */
export class NothingFound extends Error {
  override readonly name = 'NothingFound'
}

/**
 * The text of one document with the events of all pages; those after the first are never held together.
 * @throws NothingFound before any text, when there is no event.
 */
export async function* epcisDocument(api: Pick<Client, 'exportEpcis'>, asked: EpcisAsk): AsyncGenerator<string> {
  let tail = ''
  let nextPageToken: string | null = null
  do {
    const { body, next } = await api.exportEpcis({
      perPage,
      ...asked,
      ...(nextPageToken !== null && { nextPageToken }),
    })
    const { eventList } = body.epcisBody.queryResults.resultsBody
    const events = eventList.map((event) => JSON.stringify(event)).join(',\n')
    if (tail === '') {
      if (events === '') throw new NothingFound('No receiving event fits what was asked for.')
      const whole = JSON.stringify(withoutEvents(body))
      const at = whole.lastIndexOf('"eventList":[') + '"eventList":['.length
      tail = `\n${whole.slice(at)}\n`
      yield `${whole.slice(0, at)}\n${events}`
    } else if (events !== '') yield `,\n${events}`
    nextPageToken = next === undefined ? null : new URL(next, 'http://service').searchParams.get('nextPageToken')
  } while (nextPageToken !== null)
  yield tail
}

const withoutEvents = (document: Static<typeof EpcisQueryDocument>): unknown => {
  const { queryResults } = document.epcisBody
  return { ...document, epcisBody: { queryResults: { ...queryResults, resultsBody: { eventList: [] } } } }
}
