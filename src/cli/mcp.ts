// `lotkeeper mcp`: lets an assistant on this machine read the records that a key may read.
import { answerStandardInput } from '../mcp/stdio.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { remarks } from '../terminal/terminal.ts'
import { type RemoteOptions, withClient, withoutEndSlashes } from './base/remote.ts'

export const serveAssistant = ({ url, key }: RemoteOptions): Promise<CommandEnd> =>
  // A key that is not valid is reported at once, where the assistant's log shows it.
  withClient({ url, ...(key !== undefined && { key }) }, async (api) => {
    const { body } = await api.readOwnKey()
    const base = withoutEndSlashes(url)
    const service = {
      url: base,
      role: body.role,
      get: (path: string, signal: AbortSignal) =>
        fetch(base + path, { headers: { authorization: `Bearer ${key}` }, signal }),
    }
    await remarks.say(`An assistant can read the records of key ${body.keyId} now. End with Ctrl+C.`)
    await answerStandardInput(service, (error) => {
      remarks.say(error.message)
    })
    return undefined
  })
