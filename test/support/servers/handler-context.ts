// What handlers work with, where a test puts a server together itself: nothing works in the
// background.

import type { HandlerContext } from '../../../src/handlers/base/handler.ts'
import { ChangeListeners } from '../../../src/handlers/changes/change-listeners.ts'
import type { Queryable } from '../../../src/store/database/statement.ts'
import { storeOn } from '../../../src/store/store.ts'
import { resolveKnownHost } from '../../../src/webhooks/address-guard.ts'
import { delivererOf } from '../../../src/webhooks/delivery.ts'
import { testConfig, testLimits } from './service.ts'
import { testSigner } from './signer.ts'

/** What handlers work with, and the end of what it began. */
type TestContext = HandlerContext & { readonly changeListeners: ChangeListeners }

export function handlerContextOn(db: Queryable, changed: Partial<TestContext> = {}): TestContext {
  const { lotNumberRequiredFrom, identifierBase, retentionYears } = testConfig()
  const store = storeOn(db)
  return {
    store,
    settings: { lotNumberRequiredFrom },
    identifierBase,
    retentionYears,
    limits: testLimits,
    signer: testSigner,
    reportDropped: () => undefined,
    runLargeWork: (_bytes, work) => work(),
    due: () => undefined,
    webhooks: delivererOf({ allowPrivate: true, resolve: resolveKnownHost }),
    changeListeners: new ChangeListeners(store, testSigner, () => undefined),
    ...changed,
  }
}
