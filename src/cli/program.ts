// The program: its commands, its help and its exit codes. Each command is declared beside its code.
import { Command, CommanderError, Help, Option } from 'commander'
import { version } from '../version.ts'
import { addCommand, type CommandDeclaration } from './base/command.ts'
import { changeCommands } from './changes/commands.ts'
import { correctionCommands } from './corrections/commands.ts'
import { demoCommands, evidenceCommands, fileCommands } from './exchange/commands.ts'
import { generalCommands } from './general-commands.ts'
import { keepingCommands } from './keeping/commands.ts'
import { payloadCommands, recordCommands, timeZoneCommands } from './records/commands.ts'
import { sharingCommands } from './sharing/commands.ts'
import { traceabilityCommands } from './traceability/commands.ts'

/** By their heading in the help. */
export const commands: Readonly<Record<string, readonly CommandDeclaration[]>> = {
  'The service:': [...generalCommands, ...keepingCommands, ...timeZoneCommands, ...demoCommands],
  'Records:': recordCommands,
  'Payloads:': [...payloadCommands, ...correctionCommands, ...fileCommands],
  'Changes:': changeCommands,
  'Sharing:': sharingCommands,
  'Traceability:': [...traceabilityCommands, ...evidenceCommands],
}

export function lotkeeperProgram(): Command {
  const program = new Command('lotkeeper')
    .description('Stores, replaces and exports food-traceability records (FSMA 204).')
    .version(version)
    // Of `get --version 1` the program itself would take --version otherwise.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`lotkeeper: ${text.replace(/^error: /, '')}`) })
    // Options such as --transformation-location-code leave less than the usual 40 columns.
    .configureHelp({ optionDescription: describeOption, minWidthToWrap: 20 })
    .addHelpCommand(
      new Command('help').argument('[command]').description('Show the help of a command').helpGroup('The service:'),
    )
    .addHelpText('after', footer)
  for (const [heading, declared] of Object.entries(commands))
    for (const declaration of declared) addCommand(program, heading, declaration)
  return program
}

/** Runs the command that the arguments of a process name, and sets the exit code. */
export async function runProgram(processArguments: readonly string[]): Promise<void> {
  try {
    // `help --help` is the help of all commands, and not of one called "--help".
    const isHelpOfHelp = processArguments[2] === 'help' && /^(?:--help|-h)$/.test(processArguments[3] ?? '')
    await lotkeeperProgram().parseAsync(isHelpOfHelp ? processArguments.slice(0, 3) : processArguments)
  } catch (error) {
    // Thrown after the message was written, also for --help. A command group without a command has
    // its help on stderr: it was called wrongly.
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? 0 : 2
  }
}

/** The words of an option. A default of false or an empty list is left out. */
function describeOption(option: Option): string {
  const { defaultValue, defaultValueDescription: words } = option
  const isSaid =
    words !== undefined || !(defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0))
  return isSaid ? new Help().optionDescription(option) : withoutDefault(option)
}

function withoutDefault(option: Option): string {
  const silent = new Option(option.flags, option.description)
  if (option.argChoices !== undefined) silent.choices(option.argChoices)
  return new Help().optionDescription(silent)
}

const footer = `
Commands that read or change records call the service at LOTKEEPER_URL with the
key LOTKEEPER_KEY, or at the address and with the key that login stored.
serve, keys, migrate and doctor use the database at DATABASE_URL or DATA_DIR.
docs/configuration.md lists every setting.

Exit code: 0 success, 1 failure, 2 wrong usage. Results go to stdout,
everything else to stderr. Colours appear only on a terminal without NO_COLOR.
`
