// What a key may do. Source: decision 0018.

/**
 * Each may do what those before it may: read; create and replace; make and revoke keys, set legal
 * holds, read the access log.
 */
export const roles = ['reader', 'writer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** True when a key of role `held` may do what asks for role `needed`. */
export const mayAs = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed)
