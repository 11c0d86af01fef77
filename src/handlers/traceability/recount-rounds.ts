// Recounts beside the serving of requests.

import { providersToRecount, recountAfterUpgrade } from '../../store/records/recounts.ts'
import { version } from '../../version.ts'
import type { BackgroundWork } from '../base/background-work.ts'
import type { HandlerContext } from '../base/handler.ts'
import { providerRounds } from '../base/provider-rounds.ts'
import { recount } from './recounts.ts'

export interface RecountRounds extends BackgroundWork {
  readonly report: () => RecountReport
}

/** The counts of the rounds of this process. */
interface RecountReport {
  /** Events counted again, and those of them whose counts changed. */
  readonly events: number
  readonly changed: number
  /** Providers whose events are being counted again. */
  readonly providers: number
  /** How long the last recount took, in seconds. */
  readonly lastSeconds: number
}

/**
 * `reportDropped` is called when a recount fails; it is tried again. `isAlone`: no other process is
 * on this database, so the recount of an earlier one goes on at once.
 */
export function recountRounds(
  context: HandlerContext,
  reportDropped: (what: string) => void,
  of: { readonly isAlone?: boolean } = {},
): RecountRounds {
  const totals = { events: 0, changed: 0, lastSeconds: 0 }
  let isUpgraded = false
  const rounds = providerRounds(
    {
      name: 'recounts',
      doing: 'Recounting events',
      stepsOf: (provider) => recount(context, provider, of),
      async findLeft() {
        if (!isUpgraded) await recountAfterUpgrade(context.store, version)
        // Providers on a node that is away are asked again.
        isUpgraded ||= (context.store.nodes?.away ?? []).length === 0
        return providersToRecount(context.store)
      },
      onStep({ events, changed }) {
        totals.events += events
        totals.changed += changed
      },
      onDone(seconds) {
        totals.lastSeconds = seconds
      },
    },
    reportDropped,
  )
  return { ...rounds, report: () => ({ ...totals, providers: rounds.running() }) }
}
