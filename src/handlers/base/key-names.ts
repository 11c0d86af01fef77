// Names of keys: read with what names the keys, so that no write looks for a name.
import { namesOfKeys } from '../../store/base/api-keys.ts'
import type { HandlerContext } from './handler.ts'

/**
 * What each key id of a page is called: the person who has the key, else its label; null where
 * there is no such key, as in what an archive brought in.
 */
export async function keyNamer(
  { store }: Pick<HandlerContext, 'store'>,
  provider: string,
  keyIds: readonly string[],
): Promise<(keyId: string) => string | null> {
  const ids = [...new Set(keyIds)]
  const names = new Map(
    ids.length === 0 ? [] : (await namesOfKeys(store, provider, ids)).map(({ keyId, name }) => [keyId, name]),
  )
  return (keyId) => names.get(keyId) ?? null
}
