// Options and examples of commands: how to declare them, and how parameters of operations become
// options.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Shape } from '../../contract/shape/field.ts'
import { type QueryParameter, readQuery } from '../../operations/base/query.ts'

/**
 * Parameters of a query as options: `shipToLocationCode` is `--ship-to-location-code`, and true or
 * false is a flag. Values that the service would reject are rejected here.
 */
export function withQueryOptions(command: Command, query: Readonly<Record<string, QueryParameter>>): Command {
  for (const [name, parameter] of Object.entries(query)) {
    const { form, meaning } = parameter
    const value = form === 'boolean' ? '' : ` <${formWords[form]}>`
    const words = meaning.replace(/^When `true`, /, '')
    const option = new Option(`--${optionName(name)}${value}`, parameter.many ? `${words} May be repeated.` : words)
    if (form === 'boolean') {
      command.addOption(option)
      continue
    }
    if (parameter.values) option.choices(parameter.values)
    // Choices are checked below too where there may be several of them.
    if (parameter.values === undefined || parameter.many)
      option.argParser<string | readonly string[] | undefined>((value, before) => {
        const all = parameter.many ? [...(before ?? []), value] : value
        const read = readQuery({ [name]: parameter }, { [name]: all })
        if ('problem' in read) throw new InvalidArgumentError(read.problem)
        return all
      })
    command.addOption(option)
  }
  return command
}

/** The fields of a flat body as options, named in the same way; required ones must be given. */
export function withFieldOptions(command: Command, { properties = {}, required = [] }: Shape): Command {
  for (const [name, { type, description = '', 'x-form': form = 'text' }] of Object.entries(properties)) {
    const value = type === 'boolean' ? '' : ` <${form}>`
    const isMany = type === 'array'
    const option = new Option(`--${optionName(name)}${value}`, isMany ? `${description} May be repeated.` : description)
    if (isMany) option.argParser<readonly string[]>((one, before = []) => [...before, one])
    command.addOption(option.makeOptionMandatory(required.includes(name)))
  }
  return command
}

type Query = Readonly<Record<string, QueryParameter>>

/** The values of a query, by the names of the operation. */
export type QueryValues<Q extends Query> = { readonly [Name in keyof Q]?: ValueOf<Q[Name]> }

type ValueOf<P extends QueryParameter> = P extends { readonly many: true }
  ? readonly string[]
  : P extends { readonly form: 'boolean' }
    ? boolean
    : P extends { readonly form: 'limit' }
      ? number
      : P extends { readonly values: readonly (infer Value)[] }
        ? Value
        : string

/** The given parameters. The options parsed their texts by the same declarations. */
export const queryOf = <Q extends Query>(query: Q, options: Readonly<Record<string, unknown>>): QueryValues<Q> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, { form }]) => {
      const value = options[name]
      if (value === undefined) return []
      return [[name, form === 'limit' ? Number(value) : value]]
    }),
  ) as QueryValues<Q>

const optionName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const formWords = {
  text: 'text',
  date: 'date',
  dateTime: 'datetime',
  choice: 'choice',
  limit: 'number',
  cursor: 'cursor',
} as const satisfies Record<Exclude<QueryParameter['form'], 'boolean'>, string>

/** Reads a version: a whole number from 1 on. */
export function version(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

const examples = new WeakMap<Command, readonly string[]>()

/** Commands that work as printed, below the help of a command. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examples.set(command, lines)
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? []
