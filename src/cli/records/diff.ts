// `lotkeeper diff`: the changes between two versions of a record.
import type { AnyRecord } from '../../client/client.ts'
import { differencesBetween } from '../../contract/differences.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { results } from '../../terminal/terminal.ts'
import { changesText, changesValue, isChange } from '../base/changed-values.ts'
import { type KindWord, readRecord } from '../base/kinds.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

interface DiffOptions extends RemoteOptions {
  readonly kind?: KindWord
  readonly json?: boolean
}

/** Compares the last two versions, or the given one with the last, or the two that are given. */
export const diff = (
  id: string,
  from: number | undefined,
  to: number | undefined,
  options: DiffOptions,
): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const after = await readRecord(api, id, { kind: options.kind, version: to })
    const earlier = from ?? after.version - 1
    if (earlier === 0) {
      await results.write(
        options.json ? `${JSON.stringify({ id, from: null, to: 1 })}\n` : `Version 1 is the only one of ${id}.\n`,
      )
      return undefined
    }
    const before = await readRecord(api, id, { kind: after.word, version: earlier })
    const [old, now] = [withoutId(before.body), withoutId(after.body)]
    const changes = differencesBetween(old, now)
    if (options.json) {
      const report = { id, from: earlier, to: after.version, ...changesValue(changes, old, now) }
      await results.write(`${JSON.stringify(report)}\n`)
      return undefined
    }
    const title = `${after.kind.noun} ${id}, version ${earlier} → ${after.version}`
    const text = isChange(changes) ? changesText(changes, old, now, results) : 'No differences.\n'
    await results.write(`${results.styled('bold', title)}\n\n${text}`)
    return undefined
  })

const withoutId = ({ id: _, ...content }: AnyRecord) => content
