// Why lines are taken for those of one lot. Source: decision 0095.

/** The surest first. */
export const grounds = ['sameSource', 'sourceUnknown', 'reference', 'readAlike', 'severalLots'] as const
export type Ground = (typeof grounds)[number]
export const [surest, ...unsure] = grounds

/** What is followed unless more or less is asked for. */
export const leastDefault = 'reference' satisfies Ground

export const isSurer = (a: Ground, b: Ground): boolean => grounds.indexOf(a) < grounds.indexOf(b)
export const surerOf = (a: Ground, b: Ground): Ground => (isSurer(a, b) ? a : b)
export const lessSure = (a: Ground, b: Ground): Ground => (isSurer(a, b) ? b : a)

/** True of what was asked for, and not of what only reads like it. */
export const isAskedFor = ({ distance, ground }: { readonly distance: number; readonly ground: Ground }): boolean =>
  distance === 0 && ground === surest

/** True where lots are followed whose codes only read alike. */
export const followsAlike = (least: Ground): boolean => isSurer(leastDefault, least)

/** Lines by their ground. */
export type CountsByGround = Readonly<Record<Ground, number>>
export const noCounts = (): Record<Ground, number> => ({
  sameSource: 0,
  sourceUnknown: 0,
  reference: 0,
  readAlike: 0,
  severalLots: 0,
})

/** Behind "by". */
export const groundWords: Readonly<Record<Ground, string>> = {
  sameSource: 'lot code and source',
  sourceUnknown: 'lot code alone',
  reference: 'place and date',
  readAlike: 'lot code read alike',
  severalLots: 'one of several lots',
}

export const groundMeanings: Readonly<Record<Ground, string>> = {
  sameSource: 'The lines have the same lot code, and name the same source of it.',
  sourceUnknown:
    'The lines have the same lot code, and at least one does not say who assigned it. It may be a lot of another source.',
  reference:
    'Food has no lot code before it is packed. The record of the packing names the place and date of the harvest or the cooling, and these records agree with it, and in item or commodity and growing area where both state them. Other food of that place and day may agree too.',
  readAlike:
    'The lot codes differ only in what people and scanners change: upper and lower case, blanks and dashes, zeros in front, words around the code. It may be another lot.',
  severalLots:
    'The line has several lot codes, or a range of them, in the place of one. Which of these lots it is, or whether it is of each, is not recorded.',
}
