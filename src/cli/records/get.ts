// `lotkeeper get`: one record, or one version of it.
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain, results } from '../../terminal/terminal.ts'
import { type KindWord, readRecord } from '../base/kinds.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

interface GetOptions extends RemoteOptions {
  readonly kind?: KindWord
  readonly version?: number
  readonly json?: boolean
}

export const get = (id: string, options: GetOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { kind, body, version, voided } = await readRecord(api, id, options)
    if (options.json) await results.write(`${JSON.stringify(body, undefined, 2)}\n`)
    else {
      const { id: own, ...fields } = body
      const title = `${kind.noun} ${own}, version ${version}${voided ? ', voided' : ''}`
      await results.write(`${results.styled('bold', title)}\n\n${formatFields(fields, '')}`)
    }
    return undefined
  })

/** An object as lines of names and values, nested ones indented below. */
function formatFields(value: object, indent: string): string {
  const entries = Object.entries(value)
  const nameWidth = Math.max(0, ...entries.filter(([, inner]) => !isHolder(inner)).map(([name]) => name.length))
  return entries
    .map(([name, inner]) => {
      const label = plain(name)
      if (!isHolder(inner)) return `${indent}${results.styled('dim', label.padEnd(nameWidth))}  ${text(inner)}\n`
      return `${indent}${results.styled('bold', label)}\n${Array.isArray(inner) ? formatList(inner, indent) : formatFields(inner, `${indent}  `)}`
    })
    .join('')
}

const formatList = (entries: readonly unknown[], indent: string): string =>
  entries
    .map((entry) => {
      const dash = `${indent}  - `
      if (!isHolder(entry)) return `${dash}${text(entry)}\n`
      const inner = Array.isArray(entry) ? formatList(entry, `${indent}  `) : formatFields(entry, `${indent}    `)
      return `${dash}${inner.slice(dash.length)}`
    })
    .join('')

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const text = (value: unknown): string => (typeof value === 'string' ? plain(value) : JSON.stringify(value))
