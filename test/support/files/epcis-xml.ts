// EPCIS documents in XML, as a converter writes them from JSON-LD. Source: EPCIS 2.0, XML binding.
import { listEntry, prefixed } from '../../../src/epcis/namespace.ts'
import type { Payload } from '../records/payloads.ts'

const escaped = (text: unknown): string =>
  String(text).replaceAll(/[&<>"\r]/g, (character) => `&#${character.codePointAt(0)};`)

const element = (name: string, content: string, attributes = ''): string => `<${name}${attributes}>${content}</${name}>`

/** Names of the entries of lists. */
const entryNames: Readonly<Record<string, string>> = { epcList: 'epc', correctiveEventIDs: 'correctiveEventID' }
const typed: Readonly<Record<string, string>> = {
  bizTransactionList: 'bizTransaction',
  sourceList: 'source',
  destinationList: 'destination',
}

/** The document of an export. */
export function epcisXmlOf({ epcisBody }: Payload): string {
  const events = epcisBody.eventList.map((event: Payload) => element(event.type, fieldsOf(event)))
  return `<?xml version="1.0" encoding="UTF-8"?>
<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" xmlns:lotkeeper="https://id.example.com/ns/" schemaVersion="2.0">
${element('EPCISBody', element('EventList', events.join('\n')))}
</epcis:EPCISDocument>`
}

const fieldsOf = (fields: Payload): string =>
  Object.entries(fields)
    .filter(([name]) => name !== 'type')
    .map(([name, value]) => fieldOf(name, value))
    .join('')

function fieldOf(name: string, value: unknown): string {
  if (name.startsWith(prefixed(''))) return ownField(name, value)
  if (Array.isArray(value)) return element(name, value.map((entry) => entryOf(name, entry)).join(''))
  return element(name, typeof value === 'object' ? fieldsOf(value as Payload) : escaped(value))
}

function entryOf(list: string, entry: Payload): string {
  const name = typed[list]
  if (name !== undefined)
    return element(name, escaped(entry[name]), entry.type === undefined ? '' : ` type="${escaped(entry.type)}"`)
  return list === 'quantityList'
    ? element('quantityElement', fieldsOf(entry))
    : element(entryNames[list] ?? list, escaped(entry))
}

/** An element for each entry of a list. */
function ownField(name: string, value: unknown): string {
  const entries = listIn(value)
  if (entries === undefined) return element(name, contentOf(value))
  return entries
    .map((entry) => {
      const inner = listIn(entry)
      return inner === undefined
        ? element(name, contentOf(entry))
        : element(name, inner.map((one) => ownField(listEntry, one)).join(''))
    })
    .join('')
}

const listIn = (value: unknown): readonly unknown[] | undefined => {
  const list = (value as { readonly '@list'?: readonly unknown[] } | null)?.['@list'] ?? value
  return Array.isArray(list) ? list : undefined
}

const contentOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? fieldsOf(value as Payload) : escaped(value)
