// The declaration of a command: its words, arguments, options and examples, beside the code of its
// feature. All declarations are loaded for every command, so the code of a command is imported when
// it runs.
import { Argument, type Command, Option } from 'commander'
import { type CommandEnd, end } from '../../terminal/command-end.ts'
import { OperationOption, remoteOptions } from './options.ts'
import { addressAndKey } from './profiles.ts'

/** Takes the arguments, the options, and the command. */
// biome-ignore lint/suspicious/noExplicitAny: each action says what its own arguments and options are
export type Action = (...given: any[]) => Promise<CommandEnd>

/** Flags, words, and a default. */
type Flag = readonly [flags: string, words: string, standard?: string | false]

export interface CommandDeclaration {
  /** As they are typed, such as `keys create`. A declaration of `keys` comes before it. */
  readonly words: string
  readonly description: string
  readonly arguments?: readonly (Argument | readonly [name: string, words: string])[]
  /**
   * The action gets those of `queryOptions` and `fieldOptions` as `query` and `body`, by the names
   * of the operation.
   */
  readonly options?: readonly (Option | Flag)[]
  /** True where the last argument also takes options that are not declared here. */
  readonly takesUnknownOptions?: true
  /** Commands that work as printed, for the help. */
  readonly examples: readonly string[]
  /** Imports the code of the command. A group of commands has neither this nor `call`. */
  readonly run?: () => Promise<Action>
  /** The same, for a command that calls a service: it also takes its address and a key for it. */
  readonly call?: () => Promise<Action>
}

/**
 * Adds a command below a heading of the program's help, or to the group that its words begin with.
 */
export function addCommand(program: Command, heading: string, declaration: CommandDeclaration): void {
  const { words, description, examples, call, run = call } = declaration
  const names = words.split(' ')
  const name = names.pop() ?? ''
  const parent = names.reduce((above, one) => above.commands.find((inner) => inner.name() === one) ?? above, program)
  const command = parent.command(name).description(description)
  // A group has --help; a help command in it would stand below a heading of the program.
  command.helpCommand(false)
  if (parent === program) command.helpGroup(heading)
  for (const one of declaration.arguments ?? [])
    command.addArgument(one instanceof Argument ? one : new Argument(...one))
  const options = (declaration.options ?? []).map((one) => (one instanceof Option ? one : optionOf(one)))
  for (const option of [...options, ...(call ? remoteOptions : [])]) command.addOption(option)
  command.allowUnknownOption(declaration.takesUnknownOptions ?? false)
  command.addHelpText('after', `\nExample:\n${examples.map((line) => `  ${line}\n`).join('')}`)
  if (run !== undefined)
    command.action((...given) => {
      const values: Readonly<Record<string, unknown>> = given.at(-2)
      return end(
        run().then((action) => {
          if (call) takeService(command)
          return action(...given.slice(0, -2), valuesOf(values, options), command)
        }),
      )
    })
}

/** Sets address and key to those of the profile, where the command is for it. */
function takeService(command: Command): void {
  const { url, key, profile } = command.opts<{ url: string; key?: string; profile?: string }>()
  const urlIsGiven = command.getOptionValueSource('url') !== 'default'
  const service = addressAndKey({ url, urlIsGiven, key, profile })
  if (service.url !== url) command.setOptionValueWithSource('url', service.url, 'config')
  command.setOptionValueWithSource('key', service.key, 'config')
}

const optionOf = ([flags, words, standard]: Flag): Option => new Option(flags, words).default(standard)

/** The values of the options, with those of an operation in `query` and `body`. */
function valuesOf(values: Readonly<Record<string, unknown>>, options: readonly Option[]) {
  const sorted: Record<string, unknown> = {}
  const inner: Record<string, Record<string, unknown>> = {}
  for (const option of options) if (option instanceof OperationOption) sorted[option.part] = inner[option.part] ??= {}
  const parts = new Map(options.map((one) => [one.attributeName(), one instanceof OperationOption && one.part]))
  for (const [name, value] of Object.entries(values)) (inner[parts.get(name) || ''] ?? sorted)[name] = value
  return sorted
}
