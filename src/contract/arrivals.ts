// Whether shipped goods arrived. Source: decisions 0080, 0081.

/** The possible answers, and their words. */
export const arrivals = {
  received: 'received',
  partlyReceived: 'partly received',
  underWay: 'under way',
  notReceived: 'not received',
} as const
export type Arrival = keyof typeof arrivals

/** Days that goods may be under way: a truck across the country, and a weekend. */
export const underWayDaysDefault = 7
