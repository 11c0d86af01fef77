// A file of the service, as bytes.
import type { Service, TestProvider } from '../servers/service.ts'

export interface Download {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** Asks for a file with a reader key of the provider. */
export async function download(
  service: Pick<Service, 'url'>,
  provider: Pick<TestProvider, 'key'>,
  path: string,
): Promise<Download> {
  const key = await provider.key('reader')
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}
