// EPCIS in XML, versions 1.1 to 2.0, as the objects that JSON-LD has: one reader then does for
// both.
// Source: EPCIS 1.2 and 2.0, XML binding; decision 0083.

import { attribute, XmlReader } from 'lotkeeper-sheets/read-xml'
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import { linesOf } from '../contract/json/json-place.ts'
import { nestedPartsMax, nestingDepthMax } from '../contract/shape/field.ts'
import { codeTable } from '../contract/text/code-table.ts'
import { prefix, prefixed } from './namespace.ts'
import type { JsonObject } from './words.ts'

interface Element {
  readonly name: string
  /** Of the namespace of this service: a field of a record that was exported. */
  readonly isOwn: boolean
  readonly attributes: string
  /** Where it begins in the document, in characters. */
  readonly at: number
  readonly children: Element[]
  text: string
}

/** Why a text is not XML that is read here, as a sentence, and where. */
interface XmlFault {
  readonly place: string
  readonly fault: string
}

/** The document as an object; names lose their prefixes, but for that of this service. */
export function readXmlDocument(text: string): JsonObject | XmlFault {
  const root = readElements(text)
  if ('fault' in root) return root
  const body = child(root, 'EPCISBody')
  const results = descendant(body, ['QueryResults', 'resultsBody'])
  const list = child(results ?? body, 'EventList')
  return {
    type: root.name,
    ...(list && { epcisBody: { eventList: eventsIn(list) } }),
    epcisHeader: headerOf(child(root, 'EPCISHeader')),
  }
}

function readElements(text: string): Element | XmlFault {
  const top: Element = { name: '', isOwn: false, attributes: '', at: 0, children: [], text: '' }
  const open = [top]
  let elements = 0
  const beginning = ({ name, at }: Element) => `<${name}>, which begins in line ${linesOf(text)(at).line}`
  const reader = new XmlReader({
    open: (name, attributes, ofName) => {
      if (++elements > nestedPartsMax || open.length > nestingDepthMax)
        throw new UnreadableFile(
          `The document has more than ${nestedPartsMax} elements or ${nestingDepthMax} levels. Send several documents.`,
        )
      if (open.length === 1 && top.children.length > 0)
        throw new UnreadableFile('A second document begins here. Send each document by itself.')
      const at = reader.position
      const element = { name, isOwn: ofName === prefix, attributes, at, children: [], text: '' }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text: (piece) => {
      if (open.length === 1) refuseOutside(piece)
      const element = open.at(-1)
      if (element !== undefined) element.text += piece
    },
    close: (name) => {
      const element = open.at(-1)
      if (element === undefined || element === top) throw new UnreadableFile(`The end tag </${name}> has no beginning.`)
      if (element.name !== name) throw new UnreadableFile(`The end tag </${name}> does not end ${beginning(element)}.`)
      open.pop()
    },
  })
  try {
    reader.push(text)
    const [root] = top.children
    const element = open.at(-1)
    if (element !== undefined && element !== top)
      throw new UnreadableFile(`The document ends before ${beginning(element)}. Send the complete document.`)
    refuseOutside(reader.rest)
    if (root === undefined) throw new UnreadableFile('The document has no element.')
    return root
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const { line, column } = linesOf(text)(reader.position)
    return { place: `line ${line}, column ${column}`, fault: error.message }
  }
}

/** Throws for text before or after the root element. */
function refuseOutside(text: string): void {
  if (text.trim() !== '') throw new UnreadableFile('Text is outside of the root element.')
}

const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((one) => one.name === name)

const descendant = (element: Element | undefined, path: readonly string[]): Element | undefined =>
  path.reduce<Element | undefined>((one, name) => child(one, name), element)

/** Events, also those that version 1.2 has in an extension. */
const eventsIn = (list: Element): readonly JsonObject[] =>
  list.children.flatMap((one) => (one.name === 'extension' ? eventsIn(one) : [{ type: one.name, ...fieldsOf(one) }]))

/** Elements that only hold fields of a later version. */
const wrappers: ReadonlySet<string> = new Set(['extension', 'baseExtension'])

/** Lists whose entries have a type and a text. */
const typedEntries = codeTable<string>({
  bizTransactionList: 'bizTransaction',
  sourceList: 'source',
  destinationList: 'destination',
})
const plainLists: ReadonlySet<string> = new Set([
  ...['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList', 'correctiveEventIDs'],
])
const quantityLists: ReadonlySet<string> = new Set([
  ...['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'],
])

function fieldsOf(element: Element): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const one of element.children) {
    if (one.isOwn) addField(fields, prefixed(one.name), one.children.length > 0 ? fieldsOf(one) : one.text)
    else if (wrappers.has(one.name)) Object.assign(fields, fieldsOf(one))
    else if (one.name !== '__proto__') fields[one.name] = readValue(one)
  }
  return fields
}

/** Elements with one name are a list. */
function addField(fields: Record<string, unknown>, name: string, value: unknown): void {
  const before = fields[name]
  if (Array.isArray(before)) before.push(value)
  else fields[name] = before === undefined ? value : [before, value]
}

function readValue(element: Element): unknown {
  const { name, children, text } = element
  const entry = typedEntries[name]
  if (entry !== undefined)
    return children.map((one) => ({ type: attribute(one.attributes, 'type'), [entry]: one.text.trim() }))
  if (plainLists.has(name)) return children.map((one) => one.text.trim())
  if (quantityLists.has(name)) return children.map(fieldsOf)
  return children.length > 0 ? fieldsOf(element) : text.trim()
}

/** Sender and master data of the header. */
function headerOf(header: Element | undefined): JsonObject {
  const sender = descendant(header, ['StandardBusinessDocumentHeader', 'Sender', 'Identifier'])
  const master = descendant(header, ['extension', 'EPCISMasterData']) ?? child(header, 'EPCISMasterData')
  return {
    ...(sender && { StandardBusinessDocumentHeader: { Sender: sender.text.trim() } }),
    epcisMasterData: {
      vocabularyList: child(master, 'VocabularyList')?.children.map((vocabulary) => ({
        vocabularyElementList: child(vocabulary, 'VocabularyElementList')?.children.map((one) => ({
          id: attribute(one.attributes, 'id'),
          attributes: one.children.flatMap((inner) =>
            inner.name === 'attribute' ? [{ id: attribute(inner.attributes, 'id'), attribute: inner.text.trim() }] : [],
          ),
        })),
      })),
    },
  }
}
