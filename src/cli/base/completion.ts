// `lotkeeper completion <shell>`: the script that makes a shell complete commands, options and
// values. The script asks the same command, with the words typed so far, how they continue.
import type { Command, Option } from 'commander'
import { catalogue } from '../../operations/catalogue.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { results } from '../../terminal/terminal.ts'

/** A word that may come next, and what it means. */
type Candidate = readonly [word: string, meaning: string]

interface Shell {
  readonly script: string
  readonly line: (candidate: Candidate) => string
}

export const shells = ['bash', 'zsh', 'fish'] as const

const shellOf: Readonly<Record<(typeof shells)[number], Shell>> = {
  bash: {
    script: `# Completion of lotkeeper in bash. In ~/.bashrc: eval "$(lotkeeper completion bash)"
_lotkeeper() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(lotkeeper completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lotkeeper lotkeeper
`,
    line: ([word]) => word,
  },
  zsh: {
    script: `#compdef lotkeeper
# Completion of lotkeeper in zsh. In ~/.zshrc, after compinit: eval "$(lotkeeper completion zsh)"
_lotkeeper() {
  local -a found
  found=("\${(@f)$(lotkeeper completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then _describe lotkeeper found; else _files; fi
}
compdef _lotkeeper lotkeeper
`,
    line: ([word, meaning]) => `${word.replaceAll(':', '\\:')}:${meaning}`,
  },
  fish: {
    script: `# Completion of lotkeeper in fish. In ~/.config/fish/config.fish: lotkeeper completion fish | source
function __lotkeeper
  set -l found (lotkeeper completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c lotkeeper -f -a '(__lotkeeper)'
`,
    line: ([word, meaning]) => `${word}\t${meaning}`,
  },
}

export async function printCompletion(
  shell: (typeof shells)[number],
  words: readonly string[],
  _: unknown,
  { parent }: Command,
): Promise<CommandEnd> {
  const { script, line } = shellOf[shell]
  if (words.length === 0 || parent === null) await results.write(script)
  else
    await results.write(
      candidatesOf(parent, words)
        .map((one) => `${line(one)}\n`)
        .join(''),
    )
  return undefined
}

/** How the words of a command line continue; the last one is begun, and may be empty. */
export function candidatesOf(program: Command, words: readonly string[]): readonly Candidate[] {
  const begun = words.at(-1) ?? ''
  let command = program
  let values = 0
  /** The option whose value comes next. */
  let open: Option | undefined
  for (const word of words.slice(0, -1)) {
    const inner = command.commands.find((one) => one.name() === word)
    if (open !== undefined) open = undefined
    else if (word.startsWith('-')) open = optionWithValue(command, word)
    else if (inner !== undefined) command = inner
    else values++
  }
  return nextWords(command, { begun, values, open }).filter(([word]) => word.startsWith(begun))
}

const optionWithValue = (command: Command, word: string): Option | undefined =>
  command.options.find((one) => (one.long === word || one.short === word) && (one.required || one.optional))

interface Begun {
  readonly begun: string
  /** How many arguments stand before. */
  readonly values: number
  readonly open: Option | undefined
}

function nextWords(command: Command, { begun, values, open }: Begun): readonly Candidate[] {
  if (open !== undefined) return (open.argChoices ?? []).map((choice) => [choice, open.description])
  if (begun.startsWith('-'))
    return [
      ...command.options
        .filter(({ hidden }) => !hidden)
        .map((one): Candidate => [one.long ?? one.flags, one.description]),
      ['--help', 'Show the help'],
    ]
  if (command.commands.length > 0) return command.commands.map((one) => [one.name(), one.description()])
  if (command.name() === 'help') return (command.parent?.commands ?? []).map((one) => [one.name(), one.description()])
  if (command.name() === 'api' && values === 0) return catalogue.map(({ name, summary }) => [name, summary])
  const argument = command.registeredArguments[values] ?? command.registeredArguments.find(({ variadic }) => variadic)
  return (argument?.argChoices ?? []).map((choice) => [choice, argument?.description ?? ''])
}
