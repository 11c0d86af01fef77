// The page of the command line: what each command prints for --help, so that the page and the
// program say the same.
import type { Command } from 'commander'
import { lotkeeperProgram } from '../src/cli/program.ts'

/** Sections of the page, in markdown. */
export function commandSections(): string[] {
  const program = lotkeeperProgram()
  const commands = under(program, '')
  return [
    'What `lotkeeper` prints for `--help`, command by command. In a checkout write `npx lotkeeper`, after the first `npm start` or `npm run build`.',
    commands.map(({ words }) => `- [lotkeeper ${words}](#lotkeeper-${words.replaceAll(' ', '-')})`).join('\n'),
    '## Habits',
    [
      '- Exit code: 0 the work is done, 1 it could not be done, 2 the command was called wrongly.',
      '- Results go to stdout, remarks and progress to stderr: `ID=$(lotkeeper create event.json)` holds the id and nothing else.',
      '- `--json` is for programs: one JSON document, or one on each line (NDJSON) where several come. What people are shown may change with any release.',
      '- Colours, and tables as wide as the window, only on a terminal; no colours with `NO_COLOR`.',
      '- `LOTKEEPER_URL` and `LOTKEEPER_KEY` say which service is asked and with which key; `--url` and `--key` come before them.',
      '- A call that found no answer, or a busy service, is sent again twice. A create carries an idempotency key, so that nothing is made twice.',
    ].join('\n'),
    '## lotkeeper',
    helpOf(program),
    ...commands.flatMap(({ command, words }) => [`## lotkeeper ${words}`, helpOf(command)]),
  ]
}

const under = (command: Command, words: string): { command: Command; words: string }[] =>
  command.commands.flatMap((inner) => {
    const own = `${words} ${inner.name()}`.trim()
    return [{ command: inner, words: own }, ...under(inner, own)]
  })

/** As on a terminal of 80 columns. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({
    writeOut: (more) => {
      text += more
    },
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``
}
