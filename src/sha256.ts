// SHA-256 of whole texts, and of bytes.
import { hash } from 'node:crypto'

/** In one call: making an object that hashes takes longer than hashing 2 KB. */
export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

/** In lower-case hexadecimal. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex')
