// The names of fields that EPCIS lacks. Source: decision 0032.

/** Prefix of the namespace of this service, below the identifier base of who exports. */
export const prefix = 'lotkeeper'

/** The name of a field under the namespace. */
export const prefixed = (field: string): string => `${prefix}:${field}`

/** In XML, an entry of a list that is in a list. An entry of any other list is an element each. */
export const listEntry = prefixed('li')
