// A key of the tests, that signs checkpoints.
import { generateKeyPairSync } from 'node:crypto'
import { signerOf } from '../../../src/signing-key.ts'

export const testSigner = signerOf(generateKeyPairSync('ed25519').privateKey)
