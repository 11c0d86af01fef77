// Contents of fields, as sentences of rules name them.
import { isGiven } from '../contract/shape/field.ts'

/** A field or part with its text. */
export type Written = readonly [name: string, text: string]

/** A missing part, with the placeholder in its place, if any. */
export type Missing = string | Written

export const missingPart = (part: string, text: string | undefined): Missing => (isGiven(text) ? [part, text] : part)

/** `no city, no phone number ("n/a")` */
export const missingWords = (parts: readonly Missing[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? `no ${part}` : `no ${part[0]} (${JSON.stringify(part[1])})`))
    .join(', ')

/** The fields of `holder` that carry something. */
export const writtenIn = <Field extends string>(
  holder: { readonly [F in Field]?: string | undefined },
  fields: readonly Field[],
): Written[] =>
  fields.flatMap((field) => {
    const text = holder[field]
    return isGiven(text) ? [[field, text] as const] : []
  })

/** `purchaseOrderNumber is "n/a", asnNumber is "TBD"` */
export const writtenWords = (fields: readonly Written[]): string =>
  fields.map(([name, text]) => `${name} is ${JSON.stringify(text)}`).join(', ')
