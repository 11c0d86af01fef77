// Names of keys, read when answers name keys, so that no write looks for a name.
import { namesOfKeys } from '../../store/base/api-keys.ts'
import type { HandlerContext } from './handler.ts'

/**
 * The name of each key id of a page: the person who has the key, else its label; null without such
 * a key, as for versions from an archive.
 */
export async function keyNamer(
  { store }: Pick<HandlerContext, 'store'>,
  provider: string,
  keyIds: readonly string[],
): Promise<(keyId: string) => string | null> {
  const ids = [...new Set(keyIds)]
  const names = new Map(
    ids.length === 0
      ? []
      : (await namesOfKeys(store, { provider, keyIds: ids })).map(({ keyId, name }) => [keyId, name]),
  )
  return (keyId) => names.get(keyId) ?? null
}
