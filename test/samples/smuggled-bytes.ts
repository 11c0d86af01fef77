// Bytes on a connection that two readers may take for different requests: what a proxy in front
// lets through must not be two requests here.

export interface SmuggledBytes {
  readonly name: string
  readonly bytes: string
}

const target = '/health/live'
const hidden = 'GET /keys/own HTTP/1.1\r\nHost: x\r\n\r\n'
const post = (headers: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
const length = hidden.length

/**
 * All of it is no HTTP/1.1, or HTTP/1.1 that is ambiguous: one refusal, then nothing more is read.
 */
export const smuggledBytes: readonly SmuggledBytes[] = [
  ['length and chunks', post(`Content-Length: ${length + 5}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${hidden}`)],
  ['chunks and length', post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `1d\r\n${hidden}`)],
  ['two different lengths', post(`Content-Length: 0\r\nContent-Length: ${length}`, hidden)],
  ['two equal lengths', post(`Content-Length: ${length}\r\nContent-Length: ${length}`, hidden)],
  ['a list of lengths', post(`Content-Length: 0, ${length}`, hidden)],
  ['a length with a sign', post(`Content-Length: +${length}`, hidden)],
  ['a negative length', post('Content-Length: -1', hidden)],
  ['a length in hexadecimal', post(`Content-Length: 0x${length.toString(16)}`, hidden)],
  ['a length past 64 bits', post('Content-Length: 18446744073709551617', hidden)],
  ['an empty length', post('Content-Length:', hidden)],
  ['an unknown coding', post('Transfer-Encoding: xchunked', hidden)],
  ['chunked twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${hidden}`)],
  ['chunked before another coding', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`)],
  ['a coding behind a vertical tab', post('Transfer-Encoding: \u000bchunked', `0\r\n\r\n${hidden}`)],
  ['a space before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`)],
  ['a space before a header', post(' Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
  ['a folded header', post('X: y\r\n Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
  ['a header without name', post(': x', '')],
  ['a NUL in a header', post('X: a\u0000b', '')],
  ['a carriage return in a header', post('X: a\rTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
  ['a chunk size that is none', post('Transfer-Encoding: chunked', `zz\r\n${hidden}`)],
  ['a chunk size with a sign', post('Transfer-Encoding: chunked', `+5\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a chunk size past 64 bits', post('Transfer-Encoding: chunked', `10000000000000001\r\n${hidden}`)],
  ['a chunk longer than it says', post('Transfer-Encoding: chunked', `3\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a chunk that ends in a bare line feed', post('Transfer-Encoding: chunked', `5\nhello\n0\n\n${hidden}`)],
  ['a line feed in a chunk extension', post('Transfer-Encoding: chunked', `0;\n${hidden}\r\n\r\n`)],
  ['bare line feeds', `GET ${target} HTTP/1.1\nHost: x\n\n`],
  ['a bare carriage return', `GET ${target} HTTP/1.1\rHost: x\r\r`],
  ['no host', `GET ${target} HTTP/1.1\r\n\r\n`],
  ['two hosts', `GET ${target} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`],
  ['an unknown version', `GET ${target} HTTP/3.7\r\nHost: x\r\n\r\n`],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
  ['an unknown method', `SMUGGLE ${target} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a space in the address', `GET ${target} x HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a NUL in the address', `GET ${target}\u0000 HTTP/1.1\r\nHost: x\r\n\r\n`],
].map(([name = '', bytes = '']) => ({ name, bytes }))
