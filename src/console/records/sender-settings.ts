// Settings of senders as fields of a form, and back. Pure.
import type { NewCaptureSender, NewShipNoticeSender } from '../../client/generated/shapes.ts'
import { NewCaptureSender as CaptureSenderShape } from '../../contract/capture-sender.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { type NoticeSender, NewShipNoticeSender as NoticeSenderShape } from '../../contract/ship-notice-sender.ts'

/** Texts of named fields. */
export type FormTexts = Readonly<Record<string, string>>

/**
 * The meanings of a sender's codes, by list; of each entry its texts in the order of its fields.
 */
export type CodeLists = Readonly<Record<CodeList, readonly (readonly string[])[]>>

/** A setting that lists codes. */
export type CodeList = {
  [Name in keyof NewShipNoticeSender]-?: NonNullable<NewShipNoticeSender[Name]> extends readonly object[] ? Name : never
}[keyof NewShipNoticeSender]

/** The noun for an entry of a list. */
export const codeNouns: Readonly<Record<CodeList, string>> = {
  places: 'place',
  items: 'item',
  units: 'unit',
  dates: 'date',
  purposes: 'purpose',
}
export const codeLists = Object.keys(codeNouns) as readonly CodeList[]

const { properties: settings } = NoticeSenderShape
const fieldsOf = (list: CodeList): readonly string[] => Object.keys(settings[list].items.properties)

/** Settings that are one text. Who assigned the lot codes is a separate choice. */
const noticeTexts = Object.entries(settings).flatMap(([name, { type }]) =>
  type === 'string' && name !== 'senderId' && name !== 'tlcSourceRole' ? name : [],
)

/** Defaults for values that a notice lacks. */
export const noticeDefaultNames = [
  'shipFromLocationCode',
  'shipToLocationCode',
  'shipQuantityUom',
  'locationPhoneNumber',
] as const satisfies readonly (keyof typeof settings)[]

export const lineDefaultNames: readonly string[] = Object.keys(settings.lineDefaults.properties)

const given = (texts: FormTexts, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, (texts[name] ?? '').trim()]).filter(([, text]) => text !== ''))

export function noticeSenderOf(texts: FormTexts, lists: CodeLists): NewShipNoticeSender {
  const defaults = given(texts, lineDefaultNames)
  const entries = codeLists.flatMap((list) => {
    const rows = lists[list].filter((row) => row.some((text) => text.trim() !== ''))
    return rows.length === 0 ? [] : [[list, rows.map((row) => entryOf(fieldsOf(list), row))]]
  })
  return {
    senderId: (texts.senderId ?? '').trim(),
    ...given(texts, noticeTexts),
    ...(isGiven(texts.locationCodeIsName) && { locationCodeIsName: true }),
    ...(texts.lotCodeSource === 'shipFrom' && { tlcSourceIsShipFrom: true }),
    ...(texts.lotCodeSource === 'role' && given(texts, ['tlcSourceRole'])),
    ...Object.fromEntries(entries),
    ...(Object.keys(defaults).length > 0 && { lineDefaults: defaults }),
  }
}

const entryOf = (names: readonly string[], row: readonly string[]): object =>
  Object.fromEntries(
    names.map((name, i) => [name, (row[i] ?? '').trim()]).filter(([name, text]) => text !== '' || name === 'code'),
  )

export function noticeSenderTexts(sender: NewShipNoticeSender): FormTexts {
  const { lineDefaults: defaults = {}, locationCodeIsName, tlcSourceIsShipFrom, tlcSourceRole } = sender
  return {
    ...textsIn(sender),
    ...textsIn(defaults),
    ...(locationCodeIsName && { locationCodeIsName: 'on' }),
    lotCodeSource: tlcSourceRole === undefined ? (tlcSourceIsShipFrom ? 'shipFrom' : 'notice') : 'role',
  }
}

export const codeListsOf = (sender: NewShipNoticeSender): CodeLists => {
  const rowsOf = (list: CodeList) =>
    (sender[list] ?? []).map((entry) => fieldsOf(list).map((name) => textsIn(entry)[name] ?? ''))
  return {
    places: rowsOf('places'),
    items: rowsOf('items'),
    units: rowsOf('units'),
    dates: rowsOf('dates'),
    purposes: rowsOf('purposes'),
  }
}

const textsIn = (fields: object): FormTexts =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))

const captureNames = Object.entries(CaptureSenderShape.properties).map(([name, { type }]) => [name, type] as const)
const captureTexts = captureNames.flatMap(([name, type]) => (type === 'string' ? name : []))
const captureFlags = captureNames.flatMap(([name, type]) => (type === 'boolean' ? name : []))

export const captureSenderOf = (texts: FormTexts): NewCaptureSender => ({
  ...given(texts, captureTexts),
  ...Object.fromEntries(captureFlags.filter((name) => isGiven(texts[name])).map((name) => [name, true])),
})

export const captureSenderTexts = (sender: NewCaptureSender): FormTexts => ({
  ...textsIn(sender),
  ...Object.fromEntries(Object.entries(sender).flatMap(([name, value]) => (value === true ? [[name, 'on']] : []))),
})

/** Where the settings of a sender of ship notices are edited. */
export const noticeSenderPath = ({ senderId, senderQualifier = '' }: NoticeSender): string =>
  `/senders/ship-notices?${new URLSearchParams({ sender: senderId, ...(senderQualifier !== '' && { qualifier: senderQualifier }) })}`

/** ISA06 of a file: its place is fixed. */
export const senderInFile = (text: string): string | undefined => {
  const start = text.search(/\S/)
  return start >= 0 && text.startsWith('ISA', start)
    ? text.slice(start + 35, start + 50).trim() || undefined
    : undefined
}

/** Labels of defaults, where those of a form would be too short. */
export const senderNames: Readonly<Record<string, string>> = {
  locationNameIsCode: 'names of places',
  locationPhoneNumber: 'phone number of places',
  purchaseOrderNumber: 'purchase order',
  shipFromLocationCode: 'ship-from location',
  shipQuantityUom: 'unit',
  shipToLocationCode: 'receiving location',
  tlcSourceIsShipFrom: 'lot code source',
  tlcSourceReferenceGln: 'lot code source',
  tlcSourceReferenceOther: 'lot code source',
}
