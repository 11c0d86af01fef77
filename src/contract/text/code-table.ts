// Codes that arrive from outside, and their meanings.

/** Every other key is undefined, also `constructor` and `__proto__`. */
export const codeTable = <Meaning>(meanings: Readonly<Record<string, Meaning>>): Readonly<Record<string, Meaning>> =>
  Object.assign(Object.create(null), meanings)
