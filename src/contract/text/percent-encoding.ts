// Percent-encoding, as in addresses and in headers. Source: RFC 3986, 2.1.

/** The decoded text; undefined where the encoding is broken or its bytes are no UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
