// `lotkeeper create`, `lotkeeper put` and `lotkeeper void`: sends a payload from a file, and shows
// findings and changes.

import type { Client } from '../../client/client.ts'
import { ProblemError } from '../../client/failure.ts'
import { type RecordKind, recordKindOf, recordKinds } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { changesText, isChange } from '../base/changed-values.ts'
import { askOfKind, type EventKindWord, eventKindWords, kinds } from '../base/kinds.ts'
import { type PayloadFile, payloadIn, placesOf } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { countText, findingsText } from './findings.ts'

interface WriteOptions extends RemoteOptions {
  readonly kind?: EventKindWord
  readonly dryRun?: boolean
  readonly strict?: boolean
  readonly json?: boolean
}

/** Prints the ids of the records on stdout, one on each line, and remarks on stderr. */
export const create = (
  file: string,
  options: WriteOptions & { readonly idempotencyKey?: string },
): Promise<CommandEnd> =>
  sending(file, options, async (api, kind, payload) => {
    const { dryRun, strict, json, idempotencyKey } = options
    const { create } = api.of(kind.name)
    const asked = { body: payload.body.value, strict, representation: true, ...(idempotencyKey && { idempotencyKey }) }
    if (dryRun) {
      const { body } = await create({ ...asked, dryRun })
      if (json) return results.write(`${JSON.stringify(body)}\n`)
      await results.write(findingsText(payload, body.findings, results))
      return results.say(
        `Would be ${body.wouldBe}, with ${countText(body.findings, body.severities)}. Nothing is stored.`,
      )
    }
    const { body, replayed } = await create(asked)
    if (json) return results.write(`${JSON.stringify(body)}\n`)
    const { request_ids: ids, findings = [], severities } = body
    await remarks.write(findingsText(payload, findings, remarks))
    const { noun, nouns } = kind
    const what = `${ids.length} ${ids.length === 1 ? noun : nouns}`
    await remarks.say(
      replayed
        ? `Created by an earlier call with this idempotency key: ${what}.`
        : `Created ${what}, with ${countText(findings, severities)}.`,
    )
    return results.write(ids.map((id) => `${id}\n`).join(''))
  })

export const put = (
  id: string,
  file: string,
  options: WriteOptions & { readonly ifMatch?: number; readonly reason?: string },
): Promise<CommandEnd> =>
  sending(file, options, async (api, kind, payload) => {
    const { replace, read, readVersion } = api.of(kind.name)
    const { dryRun, strict, json, ifMatch, reason } = options
    const content = payload.body.value
    const asked = {
      ...{ id, body: content, strict, representation: true },
      ...(ifMatch !== undefined && { ifMatch }),
      ...(reason !== undefined && { reason }),
    }
    const { body, version = 0 } = await replace({ ...asked, dryRun })
    if (json) return results.write(`${JSON.stringify({ ...body, version })}\n`)
    const { findings = [], severities, changes } = body
    const { noun } = kind
    await results.write(findingsText(payload, findings, results))
    if (changes !== undefined && isChange(changes)) {
      // The version before has the removed values; after a dry run it is still the current one.
      const before = dryRun ? await read({ id }) : await readVersion({ id, version: version - 1 })
      await results.write(changesText(changes, before.body, content, results))
    }
    const removed = changes?.removed.length ?? 0
    const gone = removed > 0 ? ` ${dryRun ? 'It would remove' : 'It removed'} ${pluralize(removed, 'field')}.` : ''
    const found = countText(findings, severities)
    const headline =
      'wouldBe' in body
        ? `The ${noun} ${id} would be ${body.wouldBe}, with ${found}.${gone} Nothing is stored.`
        : changes !== undefined && isChange(changes)
          ? `Replaced the ${noun} ${id}, now at version ${version}, with ${found}.${gone}`
          : `The ${noun} ${id} has this content, at version ${version}.`
    return results.say(results.styled(removed > 0 ? ['bold', 'red'] : 'bold', headline))
  })

interface VoidOptions extends RemoteOptions {
  readonly reason: string
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly ifMatch?: number
}

export const voidEvent = (
  id: string,
  { reason, dryRun, ifMatch, json = false, ...service }: VoidOptions,
): Promise<CommandEnd> =>
  withClient({ ...service, json }, async (api) => {
    const asked = { id, body: { reason }, ...(ifMatch !== undefined && { ifMatch }) }
    const { kind, body, version } = await askOfKind(
      eventKindWords,
      async (word) => {
        const voiding = word === 'event' ? api.voidReceivingEvent : api.voidShippingEvent
        return { kind: kinds[word], ...(await voiding({ ...asked, dryRun })) }
      },
      () => `There is no event with id ${id}. lotkeeper list shows ids.`,
    )
    const { noun } = kind
    if (json) await results.write(`${JSON.stringify({ ...body, version })}\n`)
    else if (dryRun)
      await results.say(
        `The ${noun} ${id} ${'wouldBe' in body && body.wouldBe === 'unchanged' ? 'is voided already' : 'would be voided'}. Nothing is stored.`,
      )
    else
      await results.say(
        `The ${noun} ${id} is voided, at version ${version}. It is still stored: lotkeeper put brings it back.`,
      )
    return undefined
  })

/**
 * Reads the payload, detects its kind, and sends it. Findings are shown at their places in the
 * file.
 */
async function sending(
  file: string,
  options: WriteOptions,
  send: (api: Client, kind: RecordKind, payload: PayloadFile) => Promise<void>,
): Promise<CommandEnd> {
  const payload = await payloadIn(file)
  if ('problem' in payload) return { problem: `${payload.place}: ${payload.problem}` }
  const [rounded] = payload.body.inexactNumbers
  if (rounded !== undefined)
    return {
      problem: `${placesOf(payload, [rounded.pointer]).get(rounded.pointer)}: ${rounded.written.slice(0, 40)} is a number that cannot be stored exactly.`,
    }
  const kind = recordKindOf(payload.body.value, options.kind && kinds[options.kind])
  if (kind === undefined)
    return {
      problem: `${file}: this is not a payload. It has none of ${recordKinds.map(({ subject }) => subject).join(', ')}.`,
    }
  return withClient(options, async (api) => {
    try {
      await send(api, kind, payload)
    } catch (error) {
      if (!(error instanceof ProblemError) || error.findings.length === 0) throw error
      if (options.json) await results.write(`${JSON.stringify(error.problem)}\n`)
      else await remarks.write(findingsText(payload, error.findings, remarks))
      return {
        problem: `${file} is refused: ${countText(error.findings, error.problem.severities)}. Nothing was stored.`,
      }
    }
    return undefined
  })
}
