// Texts of several parts of which one may read from right to left: drawn as one, it would reorder
// the letters of its neighbours.

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u

/**
 * The parts of a text and the separators between them, in turn, where a part could reorder others;
 * else the text alone.
 */
export const partsByDirection = (text: string): readonly string[] =>
  rightToLeft.test(text) ? text.split(/( · )/).flatMap(partsByComma) : [text]

/** A sentence has commas too: one that reads in one direction throughout keeps its order. */
function partsByComma(text: string): readonly string[] {
  const parts = text.split(/(, )/)
  const directions = new Set(parts.filter((_, i) => i % 2 === 0).map((part) => rightToLeft.test(part)))
  return directions.size > 1 ? parts : [text]
}
