// The path of a GS1 Digital Link URI, read strictly, as a resolver must. Texts in records are read
// by gs1-text.ts, which accepts more. Source: GS1 Digital Link Standard: URI Syntax 1.6.
import { gs1LotPattern, hasRightCheckDigit, isDigits, withCheckDigit } from './identifiers.ts'
import { decodePercent } from './percent-encoding.ts'

/** Keys that the service knows, by application identifier, with their qualifiers in order. */
const primaryKeys = {
  '00': { name: 'SSCC', digits: 18, qualifiers: [[]] },
  '01': { name: 'GTIN', digits: 14, qualifiers: [['22', '10', '21'], ['235']] },
  '414': { name: 'GLN', digits: 13, qualifiers: [['254'], ['7040']] },
} as const
export type PrimaryKey = keyof typeof primaryKeys

export const primaryKeyNames = Object.keys(primaryKeys).sort() as readonly PrimaryKey[]

/** The names that the standard had until 2022. */
export const formerKeyNames = { sscc: '00', gtin: '01', gln: '414' } as const satisfies Readonly<
  Record<string, PrimaryKey>
>

export interface DigitalLink {
  readonly key: PrimaryKey
  readonly value: string
  /** Values by application identifier, in the order of the path. */
  readonly qualifiers: ReadonlyMap<string, string>
}

/** Reads a path such as `/01/10614141000415/10/GV26063-A`, or says why it is none. */
export function readDigitalLinkPath(path: string): DigitalLink | { readonly problem: string } {
  // The standard lets a resolver ignore a slash at the end.
  const parts = path.replace(/\/$/, '').split('/').slice(1).map(decodePercent)
  const [key = '', value = '', ...rest] = parts
  if (parts.includes(undefined)) return { problem: 'The percent-encoding of the address cannot be decoded.' }
  if (!isPrimaryKey(key)) return { problem: `The address must begin with ${primaryKeyNames.map(slashed).join(', ')}.` }
  const fault = faultOfKey(key, value)
  if (fault !== undefined) return { problem: fault }
  const qualifiers = new Map<string, string>()
  for (let i = 0; i < rest.length; i += 2) {
    const [ai = '', given] = [rest[i], rest[i + 1]]
    if (given === undefined) return { problem: `Nothing follows /${shown(ai)} in the address.` }
    if (ai in formerQualifiers) return { problem: `Write /${formerQualifiers[ai]} in place of /${ai}.` }
    if (qualifiers.has(ai)) return { problem: `/${shown(ai)} occurs twice in the address.` }
    // Of these characters GS1 barcodes and Digital Links are made.
    if (!gs1LotPattern.test(given))
      return {
        problem: `The value of /${shown(ai)} must be 1 to 20 letters, digits or signs of GS1 character set 82: no blank, umlaut or emoji.`,
      }
    qualifiers.set(ai, given)
  }
  const given = [...qualifiers.keys()]
  const allowed = primaryKeys[key].qualifiers
  if (!allowed.some((order) => isInOrder(given, order)))
    return {
      problem: `After a ${primaryKeys[key].name} come ${allowed.map((order) => order.map(slashed).join(', then ') || 'no others').join('; or ')}. The address has ${given.map(shown).map(slashed).join(', ')}.`,
    }
  return { key, value, qualifiers }
}

const formerQualifiers: Readonly<Record<string, string>> = { lot: '10', ser: '21', cpv: '22' }

const isPrimaryKey = (key: string): key is PrimaryKey => Object.hasOwn(primaryKeys, key)

const slashed = (ai: string): string => `/${ai}`
const shown = (text: string): string => text.slice(0, 20)

function faultOfKey(key: PrimaryKey, value: string): string | undefined {
  const { name, digits } = primaryKeys[key]
  if (!isDigits(value, [digits])) {
    const isShortGtin = key === '01' && isDigits(value, [8, 12, 13])
    return isShortGtin
      ? `A GTIN has 14 digits in an address: write /01/${value.padStart(14, '0')}.`
      : `A ${name} has ${digits} digits: /${key}/ and the digits, without blanks or dashes.`
  }
  if (hasRightCheckDigit(value)) return undefined
  const right = withCheckDigit(value.slice(0, -1))
  return `The check digit of ${name} ${value} is wrong: after ${value.slice(0, -1)} it is ${right.slice(-1)}. One digit or more is mistyped.`
}

const isInOrder = (given: readonly string[], order: readonly string[]): boolean =>
  given.every((ai, i) => order.includes(ai) && (i === 0 || order.indexOf(given[i - 1] ?? '') < order.indexOf(ai)))

/** The path in its canonical form: without a slash at the end, encoded no more than needed. */
export const digitalLinkPath = ({ key, value, qualifiers }: DigitalLink): string =>
  [key, value, ...[...qualifiers].flat().map(encodeURIComponent)].map(slashed).join('')
