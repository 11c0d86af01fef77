// Query parameters: operations declare them, and this parses them. An unknown one is rejected,
// because an ignored filter leaks data.
import { isCalendarDate, isDateTime } from '../../contract/shape/date-and-time.ts'
import { stringLengthMax } from '../../contract/shape/field.ts'
import { declareLimit } from '../../limits.ts'

export interface QueryParameter {
  readonly form: 'text' | 'date' | 'dateTime' | 'boolean' | 'choice' | 'limit' | 'cursor'
  readonly meaning: string
  readonly example: string
  /** The values of a choice; the first is the default. */
  readonly values?: readonly string[]
  /**
   * True when pages for trying the API send the example until the user changes it, and leaving it
   * out means something else.
   */
  readonly isTriedFirst?: true
  /** Usual values; others are accepted too. */
  readonly suggested?: readonly string[]
  /** True when it may occur several times: a record matches with any of the values. */
  readonly many?: true
  /** Default, largest and smallest limit, where they differ from those of lists. */
  readonly limits?: { readonly default: number; readonly max: number; readonly min?: number }
}

/** Records of a page: by default, and at most. */
export const limitDefault = 50
export const limitMax = declareLimit('pageEntries', 200, 'entries', 'Entries on a page.')

/** A cursor contains the value by which its list is sorted, with up to four bytes per character. */
const cursorLengthMax = 700

export const parameterValuesMax = declareLimit(
  'parameterValues',
  100,
  'values',
  'Values of a query parameter that can be repeated.',
)

/** Source: decision 0017. */
export const dryRun = {
  form: 'boolean',
  meaning:
    'When `true`, the service validates everything, also against stored records, and stores nothing (dry run). The answer says what would happen.',
  example: 'true',
  // Trying an operation must not store its example among the records.
  isTriedFirst: true,
} as const satisfies QueryParameter

export const paging = {
  limit: { form: 'limit', meaning: `Entries per page, 1 to ${limitMax}.`, example: String(limitDefault) },
  cursor: {
    form: 'cursor',
    meaning: '`nextCursor` of the page before, with the same filters.',
    example: 'MDE5YTNjMWU',
  },
} as const satisfies Record<string, QueryParameter>

/** Parameters of one request that occur once, by name. */
export type Query = Readonly<Record<string, string>>

/** Parameters of one request that may occur several times, by name: distinct values in order. */
export type QueryLists = Readonly<Record<string, readonly string[]>>

/**
 * Returns the parameters, or the mistake in the first bad one. In `sent`, a parameter that occurs
 * twice is a list.
 */
export function readQuery(
  declared: Readonly<Record<string, QueryParameter>>,
  sent: Readonly<Record<string, unknown>>,
): { readonly query: Query; readonly lists: QueryLists } | { readonly problem: string } {
  const query: Record<string, string> = {}
  const lists: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(sent)) {
    const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (parameter === undefined) {
      const known = Object.keys(declared).join(', ')
      return {
        problem: `${JSON.stringify(name.slice(0, 60))} is not a query parameter here. ${known ? `Known: ${known}.` : 'There are none.'}`,
      }
    }
    const values = Array.isArray(value) ? value.map(String) : [String(value)]
    if (values.length > 1 && !parameter.many) return { problem: `${name} occurs more than once. Send it once.` }
    if (values.length > parameterValuesMax)
      return {
        problem: `${name} occurs ${values.length} times. At most ${parameterValuesMax} values are accepted. Send several requests.`,
      }
    for (const one of values) {
      const fault = faultOf(parameter, one)
      if (fault !== undefined) return { problem: `${name} ${fault}` }
    }
    if (parameter.many) lists[name] = [...new Set(values)]
    else query[name] = values[0] ?? ''
  }
  return { query, lists }
}

function faultOf({ form, values = [], limits }: QueryParameter, value: string): string | undefined {
  if (value === '') return 'is empty. Give it a value or omit it.'
  switch (form) {
    case 'boolean':
      return value === 'true' || value === 'false' ? undefined : 'must be true or false.'
    case 'choice':
      return values.includes(value) ? undefined : `must be one of ${values.join(', ')}.`
    case 'date':
      return isCalendarDate(value) ? undefined : 'must be a calendar date, yyyy-MM-dd.'
    case 'limit':
      return /^(0|[1-9]\d{0,2})$/.test(value) &&
        Number(value) >= (limits?.min ?? 1) &&
        Number(value) <= (limits?.max ?? limitMax)
        ? undefined
        : `must be a whole number from ${limits?.min ?? 1} to ${limits?.max ?? limitMax}.`
    case 'dateTime':
      if (isDateTime(value)) return undefined
      return isDateTime(value.replace(' ', '+'))
        ? 'has a blank where a plus sign was. Write + as %2B in an address.'
        : 'must be yyyy-MM-ddTHH:mm:ssZ, or with a whole-hour offset such as -08:00 in place of Z.'
    case 'cursor':
      return value.length <= cursorLengthMax && /^[A-Za-z0-9_-]+$/.test(value)
        ? undefined
        : 'is not a cursor from this service.'
    case 'text':
      return [...value.slice(0, 2 * stringLengthMax + 2)].length <= stringLengthMax &&
        !value.includes('\u0000') &&
        value.isWellFormed()
        ? undefined
        : `must be text of at most ${stringLengthMax} characters.`
  }
}
