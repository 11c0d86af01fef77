// Webhooks: the words of the wire that several rooms know. Source: decision 0072.

/**
 * How messages are signed, as the specification "Standard Webhooks" calls it; the first is usual.
 */
export const signatureKinds = ['v1a', 'v1'] as const
export type SignatureKind = (typeof signatureKinds)[number]

/** What messages carry of a change; the first is usual. */
export const payloadKinds = ['thin', 'record'] as const
export type PayloadKind = (typeof payloadKinds)[number]

/** Type of a message with several changes, and of one that somebody asked for to try a webhook. */
export const batchType = 'changes'
export const testType = 'webhook.test'

/**
 * True when a pattern names the type: the type itself, or everything below a word
 * (`receivingEvent.*`).
 */
const matches = (pattern: string, type: string): boolean =>
  pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type

/**
 * True when a webhook with these patterns gets changes of the type; without patterns all of them.
 */
export const wantsChange = (patterns: readonly string[], type: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => matches(pattern, type))

/** True when a webhook with these patterns gets alerts of the type; without patterns none. */
export const wantsAlert = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => matches(pattern, type))

/** True when a pattern names at least one of the types there are. */
export const namesSome = (pattern: string, types: readonly string[]): boolean =>
  types.some((type) => matches(pattern, type))
