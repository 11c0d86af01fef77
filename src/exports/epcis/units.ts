// Units of measure, from words to what EPCIS can say of a quantity. Source: decision 0032.

/**
 * `uom` of EPCIS is a unit of length, area, volume or mass; a number without one counts things of the class. So a case is
 * counted, and a pound has a code.
 */
type Unit =
  /** UN/ECE Recommendation 20, common code. */
  | { readonly uom: string }
  /** What a case-level GTIN identifies: packed goods as they are traded. */
  | { readonly counts: 'cases' }
  /** Single things, of which a case holds a number that nobody stated. */
  | { readonly counts: 'items' }

const spellings: readonly (readonly [Unit, string])[] = [
  [{ uom: 'LBR' }, 'lb lbs lbr pound pounds'],
  [{ uom: 'KGM' }, 'kg kgs kgm kilo kilos kilogram kilograms'],
  [{ uom: 'GRM' }, 'g grm gram grams'],
  [{ uom: 'ONZ' }, 'oz onz ounce ounces'],
  [{ uom: 'TNE' }, 'tne tonne tonnes'],
  [{ uom: 'STN' }, 'stn'],
  [{ uom: 'LTR' }, 'l ltr liter liters litre litres'],
  [{ uom: 'MLT' }, 'ml mlt milliliter milliliters millilitre millilitres'],
  [{ uom: 'GLL' }, 'gal gll gallon gallons'],
  [{ counts: 'cases' }, 'case cases cs carton cartons ctn box boxes bx crate crates tray trays flat flats lug lugs'],
  [{ counts: 'items' }, 'each ea unit units piece pieces pc pcs'],
]

/** Every spelling that is understood, in lower case. `ton` is not: it means more than one unit. */
export const units: ReadonlyMap<string, Unit> = new Map(
  spellings.flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)),
)

/** The unit a text means, whatever its case and with or without a full stop at its end; undefined when it is not known. */
export const unitOf = (text: string): Unit | undefined => units.get(text.trim().toLowerCase().replace(/\.$/, ''))
