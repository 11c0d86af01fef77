// Commands that call one operation, made of its declaration: a list as a table with columns, or one
// answer in words. Both print JSON for programs.
import { Argument } from 'commander'
import type { OperationName } from '../../client/client.ts'
import type { Shape } from '../../contract/shape/field.ts'
import type { Operation } from '../../operations/base/operation.ts'
import { operations } from '../../operations/catalogue.ts'
import type { Column } from '../../terminal/table.ts'
import type { Answering, EntryOf, OperationCall } from './answers.ts'
import type { Action, CommandDeclaration } from './command.ts'
import { all, fieldOptions, json, jsonLines, queryOptions } from './options.ts'

interface Declared<Name extends OperationName>
  extends Omit<CommandDeclaration, 'arguments' | 'options' | 'run' | 'call'> {
  readonly operation: Name
  /** Arguments by the name that the path or the body of the operation gives them, with words. */
  readonly arguments?: Readonly<Record<string, string>>
}

/** The name of a list, and the columns of its table. */
interface Listing<Name extends OperationName> {
  readonly operation: Name
  readonly nouns: string
  readonly columns: readonly Column<EntryOf<Name>>[]
}

export function listCommand<Name extends OperationName>(declared: Declared<Name> & Listing<Name>): CommandDeclaration {
  const { operation, nouns, columns, arguments: named = {}, ...command } = declared
  const { query }: Operation = operations[operation]
  return {
    ...command,
    arguments: argumentsOf(named),
    options: [...queryOptions(query), ...('cursor' in query ? [all] : []), jsonLines],
    call: async () => {
      const { writeList } = await import('./answers.ts')
      return (...given) => writeList({ operation, nouns, columns }, callOf(operation, named, given))
    },
  }
}

export function callCommand<Name extends OperationName>(
  declared: Declared<Name> & Answering<Name>,
): CommandDeclaration {
  const { operation, text, problem, arguments: named = {}, ...command } = declared
  const { query, body }: Operation = operations[operation]
  const { properties = {}, required = [] } = (body ?? {}) as Shape
  const fields = Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in named)))
  return {
    ...command,
    arguments: argumentsOf(named),
    options: [...queryOptions(query), ...fieldOptions({ properties: fields, required }), json],
    call: async () => {
      const { writeAnswer } = await import('./answers.ts')
      return (...given) =>
        writeAnswer({ operation, text, ...(problem && { problem }) }, callOf(operation, named, given))
    },
  }
}

const argumentsOf = (named: Readonly<Record<string, string>>): readonly Argument[] =>
  Object.entries(named).map(
    ([name, words]) => new Argument(`<${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}>`, words),
  )

/** Sorts the values that commander gives to an action by the parameters of the operation. */
function callOf(
  operation: OperationName,
  named: Readonly<Record<string, string>>,
  given: Parameters<Action>,
): OperationCall {
  const { path, body }: Operation = operations[operation]
  const names = Object.keys(named)
  const { query, body: fields, ...options } = given[names.length]
  const values = names.map((name, i) => [name, given[i]] as const)
  const isInPath = ([name]: readonly [string, unknown]) => path.includes(`{${name}}`)
  return {
    request: {
      ...Object.fromEntries(values.filter(isInPath)),
      ...query,
      ...(body && { body: { ...fields, ...Object.fromEntries(values.filter((one) => !isInPath(one))) } }),
    },
    options,
  }
}
