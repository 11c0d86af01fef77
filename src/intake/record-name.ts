// The name of a record for people: its documents, lots and date, or its code and name.
import { isEventKind, type RecordKind } from '../contract/record-kinds.ts'
import { documentFields } from './delivery.ts'

type Fields = Readonly<Record<string, unknown>>

/** Most lot codes that a name has. */
const lotsMax = 2

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of the records of a payload, in order. */
export function recordNames(kind: RecordKind, payload: Fields): readonly string[] {
  const subject = payload[kind.subject]
  const nameOf = isEventKind(kind.name) ? eventName : masterName
  return (Array.isArray(subject) ? subject : [subject]).map((one) => (isFields(one) ? nameOf(one) : ''))
}

function eventName(event: Fields): string {
  const { productList, eventDateTime } = event
  const lines = Array.isArray(productList) ? productList.filter(isFields) : []
  const lots = [...new Set(lines.map(({ caseLotNumber }) => caseLotNumber).filter(isText))]
  const more = lots.length > lotsMax ? ` and ${lots.length - lotsMax} more` : ''
  return [
    documentFields.map((field) => event[field]).find(isText),
    lots.length > 0 && `${lots.length === 1 ? 'lot' : 'lots'} ${lots.slice(0, lotsMax).join(', ')}${more}`,
    isText(eventDateTime) && eventDateTime.slice(0, 16).replace('T', ' '),
  ]
    .filter(isText)
    .join(', ')
}

const masterName = ({ locationCode, locationName, itemCode, itemDescription }: Fields): string =>
  [locationCode, itemCode, locationName, itemDescription].filter(isText).join(', ')
