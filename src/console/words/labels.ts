// Names of fields as words: read off the spelling of the contract, which stands beside them. Pure.

/** Parts of names that are abbreviations. */
const abbreviations = new Set('asn duns fei ffrn ftl gdst gln gps gtin id iot lpn plu po tlc uom upc url'.split(' '))

/**
 * `purchaseOrderNumber` as "Purchase order number", `shipFromLocationCode` as "Ship from location
 * code".
 */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)/g, ' ')
    .split(' ')
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `1 line`, `1,200 lines`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/**
 * A datetime as it is written, in a form that is quick to read: `2026-03-04 09:30 −05:00`. What has
 * another form is left as it is.
 */
export function dateTimeWords(written: string): string {
  const [, date, time, seconds, offset] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}:00)$/.exec(written) ?? []
  if (date === undefined) return written
  const zone = offset === 'Z' ? 'UTC' : offset?.replace('-', '−')
  return `${date} ${time}${seconds === '00' ? '' : `:${seconds}`} ${zone}`
}
