// Texts of several parts of which one may read from right to left: drawn as one, it would reorder
// the letters of its neighbours.

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u

/**
 * The parts of a text and the separators between them, in turn, where a part could reorder others;
 * else the text alone.
 */
export const partsByDirection = (text: string): readonly string[] =>
  text.includes(' · ') && rightToLeft.test(text) ? text.split(/( · )/) : [text]
