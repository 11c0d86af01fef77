// The key that signs checkpoints: an Ed25519 key in a file, given by the operator or made once
// beside the data.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from 'pglite-pool/make-folder'
import { sha256Hex } from './sha256.ts'

/** Signs with one key. */
export interface Signer {
  /** The first half of the SHA-256 of the public key, in hexadecimal. */
  readonly signingKeyId: string
  /** The public half as SubjectPublicKeyInfo (DER). */
  readonly publicKey: Buffer
  /** Ed25519 signature of a text, in base64. */
  readonly sign: (text: string) => string
}

/** The key's file in the folder of the data. */
export const signingKeyName = 'signing-key.pem'

/** Where the key is: in the file named, or in the folder of the data. */
export interface SigningKeyPlace {
  readonly signingKeyFile: string | undefined
  readonly dataDir: string
}

/**
 * Reads the key. Without a file named, it is made where it is not there yet; `problem` is one line
 * for the operator.
 */
export function openSigningKey({ signingKeyFile, dataDir }: SigningKeyPlace): Signer | { readonly problem: string } {
  const path = signingKeyFile ?? join(dataDir, signingKeyName)
  try {
    if (signingKeyFile === undefined) provide(path, dataDir)
    const key = createPrivateKey(readFileSync(path))
    if (key.asymmetricKeyType === 'ed25519') return signerOf(key)
    return {
      problem: `${path} holds a key of type ${key.asymmetricKeyType}, and checkpoints are signed with Ed25519. ${remedy}`,
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code.startsWith('ERR_'))
      return { problem: `${path} holds no private key in PEM without a passphrase. ${remedy}` }
    return { problem: `The signing key ${path} cannot be ${signingKeyFile ? 'read' : 'kept'} (${code}). ${remedy}` }
  }
}

const remedy = 'Make one with: openssl genpkey -algorithm ed25519 -out signing-key.pem, and set SIGNING_KEY_FILE to it.'

/** Whole or not at all, and by one of those that start at the same time. */
function provide(path: string, folder: string): void {
  if (existsSync(path)) return
  makeFolder(resolve(folder))
  const { privateKey } = generateKeyPairSync('ed25519')
  const unfinished = `${path}.${randomUUID()}`
  try {
    writeFileSync(unfinished, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flush: true })
    linkSync(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
}

export function signerOf(key: KeyObject): Signer {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    signingKeyId: signingKeyIdOf(publicKey),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  }
}

/** The id of a public key given as SubjectPublicKeyInfo. */
export const signingKeyIdOf = (publicKey: Uint8Array): string => sha256Hex(publicKey).slice(0, 32)
