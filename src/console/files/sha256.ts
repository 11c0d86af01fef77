// Hashes in a page.
import { hexOf } from '../../contract/text/hex.ts'

/**
 * SHA-256 in hex; undefined where the page may not compute it: browsers allow it on https and on
 * localhost.
 */
export async function sha256Of(bytes: BufferSource): Promise<string | undefined> {
  if (crypto.subtle === undefined) return undefined
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
