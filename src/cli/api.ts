// `lotkeeper api`: calls any operation of the API, and prints its answer.
import type { OperationName } from '../client/client.ts'
import type { Shape } from '../contract/shape/field.ts'
import type { Operation } from '../operations/base/operation.ts'
import { catalogue } from '../operations/catalogue.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { tableText } from '../terminal/table.ts'
import { remarks, results } from '../terminal/terminal.ts'
import { operationNamed, readParameters, withFields } from './api-request.ts'
import { callTo } from './base/answers.ts'
import { documentIn, payloadIn, payloadOf, type UnreadablePayload } from './base/payload-file.ts'
import { type RemoteOptions, withClient } from './base/remote.ts'
import { damageOf, download } from './records/download.ts'

interface ApiOptions extends RemoteOptions {
  readonly body?: string
  readonly field: readonly string[]
  readonly output?: string
}

type Body = Readonly<Record<string, unknown>>

export async function callApi(
  [name, ...words]: readonly string[],
  { field, output, url, key, ...options }: ApiOptions,
): Promise<CommandEnd> {
  if (name === undefined) return listOperations()
  const operation = operationNamed(name)
  if ('problem' in operation) return { ...operation, calledWrongly: true }
  const parameters = readParameters(operation, words)
  if ('problem' in parameters) return { ...parameters, calledWrongly: true }
  const body = await bodyOf(operation, options.body, field)
  if ('problem' in body) return { ...body, calledWrongly: true }
  return withClient({ url, json: true, ...(key !== undefined && { key }) }, async (api) => {
    const request = { ...parameters.values, ...(operation.body && { body: body.values }) }
    const answer = await callTo<unknown>(api, operation.name as OperationName)(request)
    if (answer.file === undefined) {
      if (answer.status === 304) await remarks.say('Not modified.')
      const parts = answer.body === undefined ? [] : [`${JSON.stringify(answer.body, undefined, 2)}\n`]
      return download({ name: `${operation.name}.json`, parts }, output)
    }
    const { name: fileName = operation.name, stream, damaged, mediaType } = answer.file
    if (output === undefined && process.stdout.isTTY && !/^text\/|json|xml/.test(mediaType)) {
      await stream.cancel()
      return { problem: 'The result is not text. Name a file or folder with --output.', calledWrongly: true }
    }
    return (await download({ name: fileName, parts: stream }, output)) ?? damageOf(damaged)
  })
}

async function listOperations(): Promise<CommandEnd> {
  const columns = [
    { heading: 'operation', cell: ({ name }: Operation) => name },
    { heading: 'key', cell: ({ role }: Operation) => role },
    { heading: 'address', cell: ({ method, path }: Operation) => `${method} ${path}` },
    { heading: 'does', cell: ({ summary }: Operation) => summary },
  ]
  await results.write(tableText(columns, catalogue))
  return undefined
}

/** The body in a file with the fields that are given beside it, or why it cannot be sent. */
async function bodyOf(
  operation: Operation,
  file: string | undefined,
  fields: readonly string[],
): Promise<{ readonly values: Body } | { readonly problem: string }> {
  if (operation.body === undefined)
    return file === undefined && fields.length === 0
      ? { values: {} }
      : { problem: `${operation.name} takes no body: leave out --body and --field.` }
  const { required = [] } = operation.body as Shape
  if (file === undefined && fields.length === 0 && required.length > 0)
    return {
      problem: `${operation.name} needs a body with ${required.join(', ')}. Give --body <file>, or --field name=value.`,
    }
  const read = file === undefined ? { value: {} } : await bodyIn(operation, file)
  if ('problem' in read) return { problem: `${read.place}: ${read.problem}` }
  return withFields(operation, read.value, fields)
}

/** The JSON of a file; a file of another program goes into the field that takes it. */
async function bodyIn(
  { fileField, otherEncoding }: Operation,
  file: string,
): Promise<{ readonly value: Body } | UnreadablePayload> {
  const document = fileField === undefined ? undefined : await documentIn(file, otherEncoding)
  if (document !== undefined && 'problem' in document) return document
  if (document !== undefined && fileField !== undefined && !document.text.trimStart().startsWith('{'))
    return { value: { [fileField]: document.text } }
  const payload = document === undefined ? await payloadIn(file) : payloadOf(document)
  return 'problem' in payload ? payload : payload.body
}
