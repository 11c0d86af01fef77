// Units of measure, from words to codes. Source: decisions 0032, 0081.

/**
 * `uom` of EPCIS is a unit of length, area, volume or mass. A quantity without one counts items of
 * the class. So a case is counted, and a pound has a code.
 */
type Unit =
  /** UN/ECE Recommendation 20, common code. */
  | { readonly uom: string }
  /** A count of a case-level GTIN, or of single items, of which a case holds an unknown number. */
  | { readonly counts: 'cases' | 'items'; readonly of: string }

const measures: readonly (readonly [string, string])[] = [
  ['LBR', 'lb lbs lbr pound pounds'],
  ['KGM', 'kg kgs kgm kilo kilos kilogram kilograms'],
  ['GRM', 'g grm gram grams'],
  ['ONZ', 'oz onz ounce ounces'],
  ['TNE', 'tne tonne tonnes'],
  ['STN', 'stn'],
  ['LTR', 'l ltr liter liters litre litres'],
  ['MLT', 'ml mlt milliliter milliliters millilitre millilitres'],
  ['GLL', 'gal gll gallon gallons'],
]

/** The first spelling is the name of the unit. */
const counts: readonly (readonly ['cases' | 'items', string])[] = [
  ['cases', 'case cases cs ca cse'],
  ['cases', 'carton cartons ctn ctns'],
  ['cases', 'box boxes bx'],
  ['cases', 'crate crates'],
  ['cases', 'tray trays'],
  ['cases', 'flat flats'],
  ['cases', 'lug lugs'],
  ['items', 'each ea'],
  ['items', 'unit units'],
  ['items', 'piece pieces pc pcs'],
]

const spellings = (words: string, unit: Unit) => words.split(' ').map((word) => [word, unit] as const)

/** Every known spelling, in lower case. `ton` is not among them: it means several units. */
export const units: ReadonlyMap<string, Unit> = new Map([
  ...measures.flatMap(([uom, words]) => spellings(words, { uom })),
  ...counts.flatMap(([of, words]) => spellings(words, { counts: of, of: words.split(' ', 1)[0] ?? '' })),
])

/** A unit for comparison: in lower case, without a full stop or `(s)` at the end. */
const normalize = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .replace(/ ?(?:\(e?s\))? ?\.?$/, '')

/** The unit a text means; undefined when it is not known. */
export const unitOf = (text: string): Unit | undefined => units.get(normalize(text))

/**
 * The counted unit of a text, for the name of a class; absent for mass and volume, whose amounts
 * add up.
 */
export function countedUnit(text: string): string | undefined {
  const unit = unitOf(text)
  if (unit === undefined) return normalize(text)
  return 'of' in unit ? unit.of : undefined
}

const unitNames: ReadonlyMap<string, string> = new Map(
  measures.map(([code, words]) => [code, words.split(' ', 1)[0] ?? code]),
)

/** The word for a code of a unit of mass or volume; a code that is not known stays as it is. */
export const unitName = (uom: string): string => unitNames.get(uom.toUpperCase()) ?? uom

/** Equal for texts that mean the same unit: `Cases` and `cs`, `lb` and `pounds`. */
export function unitKeyOf(text: string): string {
  const unit = unitOf(text)
  if (unit === undefined) return normalize(text)
  return 'of' in unit ? unit.of : unit.uom
}
