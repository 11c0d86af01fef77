// Certificates for receivers of the tests, which sign themselves: X.509 by hand, so that no program
// of the machine is needed.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** Both in PEM, as servers of Node take them. */
  readonly cert: string
  readonly key: string
}

/** One element of DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value))
const time = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))

/** Valid from yesterday to tomorrow, for one name, and its own authority. */
export function certificateFor(name: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const dayMs = 86_400_000
  // ecdsa-with-SHA256, commonName, subjectAltName, basicConstraints.
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('551d13', sequence(der(0x01, Buffer.from([0xff])))),
        extension('551d11', sequence(der(0x82, Buffer.from(name)))),
      ),
    ),
  )
  const signature = sign('sha256', signed, privateKey)
  const whole = sequence(signed, algorithm, der(0x03, Buffer.from([0]), signature))
  // An empty last line, where the length is a multiple of 64, is no PEM: the length of a signature varies.
  const lines = whole.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
