// A handler for every operation, under the operation's name.
import { mayAs } from '../contract/role.ts'
import type { Operation } from '../operations/base/operation.ts'
import { type OperationName, operations } from '../operations/catalogue.ts'
import type { Handler, HandlerContext, HandlersOf } from './base/handler.ts'
import { recordingAccess } from './base/recorded-access.ts'
import { readSettings } from './base/settings.ts'
import { changeHandlers } from './changes/handlers.ts'
import { correctionHandlers } from './corrections/bulk-corrections.ts'
import { exchangeHandlers } from './exchange/handlers.ts'
import { keepingHandlers } from './keeping/handlers.ts'
import { listLimits } from './limits.ts'
import { peopleHandlers } from './people/handlers.ts'
import { recordHandlers } from './records/handlers.ts'
import { sharingHandlers } from './sharing/handlers.ts'
import { traceabilityHandlers } from './traceability/handlers.ts'
import { vendorHandlers } from './vendors/handlers.ts'

const handlers: HandlersOf<typeof operations> = {
  ...recordHandlers,
  ...traceabilityHandlers,
  ...exchangeHandlers,
  ...sharingHandlers,
  ...changeHandlers,
  ...correctionHandlers,
  ...vendorHandlers,
  ...keepingHandlers,
  ...peopleHandlers,
  listLimits,
  readSettings,
}

export type Handlers = { readonly [Name in OperationName]: Handler<(typeof operations)[Name]> }

/** What is recorded, and what partners may ask, cannot run without its record. */
export const handlersAt = (context: HandlerContext): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handlerAt]) => {
      const operation: Operation = operations[name as OperationName]
      const handler = handlerAt(context)
      const isRecorded = operation.recorded !== undefined || mayAs('partner', operation.role)
      return [name, isRecorded ? recordingAccess(context, operation, handler) : handler]
    }),
  ) as unknown as Handlers
