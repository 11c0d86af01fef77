// The name under which others see a provider: customers, partners, recipients of files. Source:
// decision 0101.
import { type DeclaredSetting, declaredSettings } from '../../store/base/declared-settings.ts'
import { readProviderName } from '../../store/database/providers.ts'
import type { Queryable } from '../../store/database/statement.ts'

export const displayNameKind = 'displayName'

/** The name that is set; undefined while none is. */
export const setNameOf = async (
  store: Queryable,
  provider: string,
): Promise<DeclaredSetting<{ readonly name: string }> | undefined> =>
  (await declaredSettings<{ readonly name: string }>(store, provider, displayNameKind))[0]

/** The name that others see; of the account of a partner, that of the partner. */
export const displayNameOf = async (store: Queryable, provider: string): Promise<string> =>
  (await setNameOf(store, provider))?.value.name ?? readProviderName(store, provider)
