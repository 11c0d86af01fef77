// Reads an EPCIS document: its events, the master data of its header, and who sent it. Source:
// EPCIS 2.0, JSON-LD binding; decision 0083.
import { declareLimit } from '../limits.ts'
import { masterDataKey } from './identifiers.ts'
import { entriesOf, type Found, isObject, type JsonObject, localNameOf, memberOf, textOf, wordOf } from './words.ts'

/**
 * Most events that one document may have: as many as a request can write in 10 seconds, also on the
 * embedded database and beside other work.
 */
export const documentEventsMax = declareLimit('documentEvents', 5_000, 'events', 'Events in an EPCIS document.')
/** Longest identifier of an event or a sender. A hash identifier has 90 characters. */
const identifierLengthMax = 300
/** Most corrective events that one declaration may name. */
const correctivesMax = 20

export interface EpcisEvent extends Found {
  readonly value: JsonObject
  readonly index: number
  /** `ObjectEvent`, or another text as sent. */
  readonly type: string
  readonly bizStep: string | undefined
  readonly action: string | undefined
  readonly eventId: string | undefined
  readonly declaredWrong: ErrorDeclaration | undefined
}

/** The sender declared the event wrong, and may name events that are right instead. */
interface ErrorDeclaration {
  readonly reason: string | undefined
  readonly correctiveIds: readonly string[]
  /** Why a record of this service was voided, in its own words. */
  readonly voidReason: string | undefined
}

/** Attributes of the header, by the last part of their names. */
export type MasterData = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface EpcisDocument {
  readonly sender: string | undefined
  readonly events: readonly EpcisEvent[]
  readonly masterData: MasterData
}

/** Why nothing of the document can be captured. */
export interface DocumentFault {
  readonly pointer: string
  readonly fault: string
}

const documentTypes = ['EPCISDocument', 'EPCISQueryDocument']
const eventTypes = ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent']

export function readDocument(value: JsonObject): EpcisDocument | DocumentFault {
  const document = { value, pointer: '' }
  const type = localNameOf(textOf(memberOf(document, 'type')) ?? '')
  if (eventTypes.includes(type)) return withEvents(document, [document])
  if (!documentTypes.includes(type))
    return {
      pointer: '/type',
      fault: `The type is ${JSON.stringify(type.slice(0, 60))}. It must be EPCISDocument or EPCISQueryDocument.`,
    }
  const body = memberOf(document, 'epcisBody')
  const results = body && memberOf(body, 'queryResults')
  const within = (results && memberOf(results, 'resultsBody')) ?? body
  const list = within && (memberOf(within, 'eventList') ?? memberOf(within, 'event'))
  if (list === undefined)
    return { pointer: body?.pointer ?? '/epcisBody', fault: 'The document has no eventList. Its events are missing.' }
  return withEvents(document, entriesOf(list))
}

function withEvents(document: Found, events: readonly Found[]): EpcisDocument | DocumentFault {
  if (events.length > documentEventsMax)
    return {
      pointer: '/epcisBody/eventList',
      fault: `The document has ${events.length} events. At most ${documentEventsMax} are accepted. Send several documents.`,
    }
  const fault = identifierFault(senderIn(document), 'The identifier of a sender')
  if (fault !== undefined) return fault
  const read: EpcisEvent[] = []
  for (const [index, event] of events.entries()) {
    const fault = faultOf(event)
    if (fault !== undefined) return fault
    read.push(readEvent(event as Found & { value: JsonObject }, index))
  }
  return { sender: textOf(senderIn(document)), events: read, masterData: masterDataOf(document) }
}

function faultOf(event: Found): DocumentFault | undefined {
  if (!isObject(event.value)) return { pointer: event.pointer, fault: 'The event is not an object.' }
  const fault = identifierFault(memberOf(event, 'eventID'), 'An eventID')
  if (fault !== undefined) return fault
  const declaration = memberOf(event, 'errorDeclaration')
  const correctives = declaration && memberOf(declaration, 'correctiveEventIDs')
  if (correctives !== undefined && entriesOf(correctives).length > correctivesMax)
    return {
      pointer: correctives.pointer,
      fault: `An error declaration names at most ${correctivesMax} corrective events.`,
    }
  return entriesOf(correctives)
    .map((id) => identifierFault(id, 'An eventID'))
    .find((found) => found !== undefined)
}

/** Identifiers are stored and looked up: the database takes no others. */
function identifierFault(found: Found | undefined, what: string): DocumentFault | undefined {
  const text = textOf(found) ?? ''
  if (found === undefined || (text.length <= identifierLengthMax && !/\p{Cc}/u.test(text))) return undefined
  return {
    pointer: found.pointer,
    fault: `${what} has at most ${identifierLengthMax} characters, and no control characters.`,
  }
}

function readEvent(event: Found & { readonly value: JsonObject }, index: number): EpcisEvent {
  const bizStep = textOf(memberOf(event, 'bizStep'))
  const declaration = memberOf(event, 'errorDeclaration')
  const reason = declaration && textOf(memberOf(declaration, 'reason'))
  return {
    ...event,
    index,
    type: localNameOf(textOf(memberOf(event, 'type')) ?? ''),
    bizStep: bizStep === undefined ? undefined : wordOf(bizStep),
    action: textOf(memberOf(event, 'action')),
    eventId: textOf(memberOf(event, 'eventID')),
    declaredWrong: declaration && {
      reason: reason === undefined ? undefined : wordOf(reason),
      correctiveIds: entriesOf(memberOf(declaration, 'correctiveEventIDs'))
        .map((found) => textOf(found))
        .filter((id) => id !== undefined),
      voidReason: isObject(declaration.value) ? textIn(declaration.value, 'voidReason') : undefined,
    },
  }
}

/** The text of an extension field, with any prefix. */
function textIn(object: JsonObject, name: string): string | undefined {
  const [, value] = Object.entries(object).find(([key]) => localNameOf(key) === name) ?? []
  return typeof value === 'string' ? value : undefined
}

/** Version 2.0 names the sender at the top; the header of older documents has it deeper. */
function senderIn(document: Found): Found | undefined {
  const header = memberOf(document, 'epcisHeader')
  const older = header && memberOf(header, 'StandardBusinessDocumentHeader')
  const sender = memberOf(document, 'sender') ?? (older && memberOf(older, 'Sender'))
  return sender && (memberOf(sender, 'Identifier') ?? sender)
}

function masterDataOf(document: Found): MasterData {
  const header = memberOf(document, 'epcisHeader')
  const master = header && memberOf(header, 'epcisMasterData')
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const vocabulary of entriesOf(master && memberOf(master, 'vocabularyList')))
    for (const element of entriesOf(memberOf(vocabulary, 'vocabularyElementList'))) {
      const id = textOf(memberOf(element, 'id'))
      if (id === undefined) continue
      const attributes = new Map(found.get(masterDataKey(id)))
      for (const entry of entriesOf(memberOf(element, 'attributes'))) {
        const name = textOf(memberOf(entry, 'id'))
        const text = textOf(memberOf(entry, 'attribute'))
        if (name !== undefined && text !== undefined) attributes.set(localNameOf(name), text)
      }
      found.set(masterDataKey(id), attributes)
    }
  return found
}
