// Something for each operation to be about, made over HTTP.
import { randomBytes } from 'node:crypto'
import { ofEventKinds } from '../../../src/contract/record-kinds.ts'
import {
  correctionOf,
  marked,
  packageLinkOf,
  partnerOf,
  type Subject,
  webhookOf,
} from '../../samples/operation-requests.ts'
import type { Call } from '../servers/service.ts'
import { paths } from './payloads.ts'

const requests: Readonly<Record<Exclude<Subject, 'lot'>, readonly [path: string, body: (mark: string) => unknown]>> = {
  key: ['/keys', (label) => ({ role: 'reader', label })],
  legalHold: ['/legal-holds', (reason) => ({ reason, everything: true })],
  webhook: ['/webhooks', webhookOf],
  packageLink: ['/package-links?lotCode=LOT', packageLinkOf],
  partner: ['/partners', partnerOf],
  listView: [
    '/list-views',
    (query) => ({ list: 'location', name: randomBytes(8).toString('hex'), query, shared: true }),
  ],
  correction: ['/corrections', correctionOf],
  ...ofEventKinds((kind) => [paths[kind], marked[kind]] as const),
  masterProduct: [paths.masterProduct, marked.masterProduct],
  location: [paths.location, marked.location],
  // The last one: it goes on after its answer, and reads what is stored.
  mockRecall: ['/mock-recalls', (mark) => ({ lotCode: `LOT-${mark}` })],
}

/** Makes a subject that carries a mark, and returns what paths name it by. */
export async function newSubject(call: Call, subject: Subject, mark: string): Promise<string> {
  if (subject === 'lot') return `LOT-${mark}`
  const [path, bodyOf] = requests[subject]
  const { body, text } = await call('POST', path, { body: bodyOf(mark) })
  const id: unknown = body.keyId ?? body.id ?? body.request_ids?.[0]
  if (typeof id !== 'string') throw new Error(`${subject}: ${text}`)
  return id
}

/** One of each. */
export async function newSubjects(call: Call, mark: string): Promise<ReadonlyMap<Subject, string>> {
  const all = new Map<Subject, string>()
  for (const subject of [...(Object.keys(requests) as Subject[]), 'lot'] as const)
    all.set(subject, await newSubject(call, subject, mark))
  return all
}
