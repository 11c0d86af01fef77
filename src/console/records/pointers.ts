// JSON Pointers into a record, and their elements on a page. Pure.

export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

export const valueAt = (value: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, step)
        ? (part as Readonly<Record<string, unknown>>)[step]
        : undefined,
    value,
  )

/** True when a pointer names a place or something inside it. */
export const isWithin = (pointer: string, place: string): boolean =>
  pointer === place || pointer.startsWith(`${place}/`)

/** Id of the element that shows a place. */
export const anchorOf = (pointer: string): string => `at:${pointer}`

/** The pointer an address leads to, if it leads into a record. */
export const pointerIn = (hash: string): string | undefined => (hash.startsWith('at:') ? hash.slice(3) : undefined)
