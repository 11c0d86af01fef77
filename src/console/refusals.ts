// What is said of a refusal, read off the declarations. Pure.
import type { Client } from '../client/client.ts'
import { type OperationName, operations } from '../operations/catalogue.ts'
import type { Operation } from '../operations/operation.ts'
import { recordSections } from './record-sections.ts'

export type Refusal = Awaited<ReturnType<Client['listRefusals']>>['body']['content'][number]

const operationOf = (name: string): Operation | undefined =>
  Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined

/** `replaceReceivingEvent` as "Replace receiving event"; an operation that is no more goes by its name. */
export function operationWords(name: string): string {
  const noun = operationOf(name)?.record?.noun
  if (noun === undefined) return name
  return `${name.startsWith('replace') ? 'Replace' : 'Create'} ${noun}`
}

/** Where the console shows the record that was to be replaced. */
export function recordAt({ operation, recordId }: Refusal): string | undefined {
  const kind = operationOf(operation)?.record
  const section = recordSections.find((one) => one.kind === kind)
  return recordId === null || section === undefined ? undefined : `${section.path}/${recordId}`
}
