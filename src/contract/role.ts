// The roles of keys. Source: decisions 0018, 0077.

/**
 * Each includes those before it: accept an invitation; read shared records; read; create and
 * replace; make and revoke keys, set legal holds, share, read the access log.
 */
export const roles = ['invited', 'partner', 'reader', 'writer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** Roles of the keys that a provider makes for itself; a partner gets its keys by invitation. */
export const ownRoles = ['reader', 'writer', 'administrator'] as const satisfies readonly Role[]
export type OwnRole = (typeof ownRoles)[number]

/** True when a key of role `held` may call an operation of role `needed`. */
export const mayAs = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed)
