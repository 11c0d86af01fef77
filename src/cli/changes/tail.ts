// `lotkeeper tail`: changes of records as they happen, like `tail -f`.
import type { ListChangesRequest } from '../../client/generated/methods.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { changeLine, type FollowOptions, followChanges } from './followed-changes.ts'

interface TailOptions extends RemoteOptions, FollowOptions {
  readonly query: ListChangesRequest
}

export const tail = ({ json = false, ...options }: TailOptions): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    followChanges(api, options, async (change) => {
      await results.write(`${json ? JSON.stringify(change) : changeLine(change, results)}\n`)
    }),
  )
