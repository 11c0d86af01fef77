// Webhooks: names on the wire that several rooms use. Source: decision 0072.

/** How messages are signed, in the terms of "Standard Webhooks". The first is the default. */
export const signatureKinds = ['v1a', 'v1'] as const
export type SignatureKind = (typeof signatureKinds)[number]

/** The content of messages about a change. The first is the default. */
export const payloadKinds = ['thin', 'record'] as const
export type PayloadKind = (typeof payloadKinds)[number]

/** Types of messages: several changes in one, and a test on request. */
export const batchType = 'changes'
export const testType = 'webhook.test'

/**
 * True when a pattern names the type: the type itself, or everything below a word
 * (`receivingEvent.*`).
 */
const matches = (pattern: string, type: string): boolean =>
  pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type

/**
 * True when a webhook with these patterns gets changes of the type. Without patterns it gets all.
 */
export const wantsChange = (patterns: readonly string[], type: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => matches(pattern, type))

/**
 * True when a webhook with these patterns gets alerts of the type. Without patterns it gets none.
 */
export const wantsAlert = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => matches(pattern, type))

/** True when a pattern matches at least one of the types. */
export const namesSome = (pattern: string, types: readonly string[]): boolean =>
  types.some((type) => matches(pattern, type))
