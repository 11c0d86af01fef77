// What a key may do. Source: decisions 0018, 0077.

/**
 * Each may do what those before it may: accept an invitation; read what was shared; read; create
 * and replace; make and revoke keys, set legal holds, share, read the access log.
 */
export const roles = ['invited', 'partner', 'reader', 'writer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** Roles of the keys that a provider makes for itself; a partner gets its keys by invitation. */
export const ownRoles = ['reader', 'writer', 'administrator'] as const satisfies readonly Role[]
export type OwnRole = (typeof ownRoles)[number]

/** True when a key of role `held` may do what asks for role `needed`. */
export const mayAs = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed)
