// Fields that the kinds of event beyond the contract share, in the manner of §2.4 and §2.5
// (decision 0090).
import type { TObject } from 'typebox'
import { dataProviderVendorId, dataProviderVendorName } from '../product.ts'
import { ProductLine } from '../product-line.ts'
import { productLinesMax } from '../receiving-event.ts'
import { dateTime, type FieldSays, list, optional, text } from '../shape/field.ts'

const section = '2.4'

/** The fields of every kind; the date time and the lines have a meaning of their own in each. */
export const eventFields = (dated: Pick<FieldSays, 'meaning' | 'example' | 'synonyms'>) => ({
  dataProviderVendorId: dataProviderVendorId(section),
  eventDateTime: dateTime({
    ...dated,
    section,
    synonyms: ['date', 'dateTime', 'eventDate', 'eventTime', ...(dated.synonyms ?? [])],
  }),
  eventId: optional(text({ meaning: 'Unique id of the event.', example: 'EV-2026-03-04-301', section })),
  dataProviderVendorName: optional(dataProviderVendorName(section)),
  businessUnit: optional(text({ meaning: 'Business unit of the event.', example: 'Produce West', section })),
})

const documentType = (which: string, example: string, synonyms: readonly string[]) =>
  optional(text({ meaning: `Type of ${which}.`, example, section, synonyms }))
const documentNumber = (which: string, example: string, synonyms: readonly string[]) =>
  optional(text({ meaning: `Number of ${which}.`, example, section, synonyms }))

/** Two reference documents, as FDA's template has them. */
export const documentPairs = (type: string, number: string) => ({
  referenceDocumentType: documentType('the reference document', type, ['documentType', 'docType']),
  referenceDocumentNumber: documentNumber('the reference document', number, ['documentNumber', 'docNumber']),
  referenceDocumentType2: documentType('a further reference document', 'Production Log', ['documentType2']),
  referenceDocumentNumber2: documentNumber('a further reference document', '2026-03-04', ['documentNumber2']),
})

/** The names of the same, pair by pair. */
export const documentPairNames = [
  ['referenceDocumentType', 'referenceDocumentNumber'],
  ['referenceDocumentType2', 'referenceDocumentNumber2'],
] as const

/** A location of the event or of a line, by its code. */
export const locationCode = (meaning: string, example: string, synonyms: readonly string[]) =>
  text({ meaning: `${meaning}; references a locationCode in locationMasterList.`, example, section, synonyms })

/** A list of lines; one payload has the whole event. */
export const lineList = <Line extends TObject>(
  line: Line,
  says: Pick<FieldSays, 'meaning' | 'example' | 'synonyms'>,
  minItems = 0,
) =>
  list(
    line,
    {
      ...says,
      section: '2.5',
      tooMany: 'An event is one payload, so do not split it. Add up lines that agree in item, lot code and source.',
    },
    { ...(minItems > 0 && { minItems }), maxItems: productLinesMax },
  )

/** Lines of lots that the event makes. */
export const madeLines = (meaning: string, example: object) =>
  lineList(
    ProductLine,
    { meaning, example: [example], synonyms: ['products', 'lines', 'items', 'outputs', 'outputList', 'produced'] },
    1,
  )
