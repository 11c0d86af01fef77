// The reason of a replacement as a header: a string of RFC 9651, or a display string where it has
// characters beyond ASCII. Pure. Source: decision 0097.

import { stringLengthMax } from './shape/field.ts'
import { decodePercent } from './text/percent-encoding.ts'

const plain = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/
const display = /^%"((?:[ !#$&-~]|%[0-9a-f][0-9a-f])*)"$/
const hidden = /\p{Cc}/u

/** The header that has a reason. */
export function writeChangeReason(reason: string): string {
  if (/^[ -~]*$/.test(reason)) return `"${reason.replaceAll(/["\\]/g, '\\$&')}"`
  const encoded = reason.replaceAll(/[^ !#$&-~]+/gu, (some) =>
    encodeURIComponent(some).replaceAll(/%../g, (one) => one.toLowerCase()),
  )
  return `%"${encoded}"`
}

/** The reason in a header, or its mistake. */
export function readChangeReason(header: string): string | { readonly problem: string } {
  const reason = textIn(header)
  if (reason === undefined)
    return { problem: 'must be a text in quotes, e.g. "Read from the paper", or a display string of RFC 9651.' }
  if (reason.trim() === '') return { problem: 'is blank. Say why the record is replaced, or send no such header.' }
  if (hidden.test(reason)) return { problem: 'has a control character. It must be one line of text.' }
  if ([...reason].length > stringLengthMax) return { problem: `has more than ${stringLengthMax} characters.` }
  return reason
}

function textIn(header: string): string | undefined {
  const [, text] = plain.exec(header.trim()) ?? []
  if (text !== undefined) return text.replaceAll(/\\(.)/g, '$1')
  const [, encoded] = display.exec(header.trim()) ?? []
  return encoded === undefined ? undefined : decodePercent(encoded)
}
