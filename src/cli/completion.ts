// Scripts that complete commands, options and their choices in a shell, written from the declarations of the commands.
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const

/** A place on the command line: a command, by its words behind `lotkeeper`, and what may follow there. */
interface Place {
  /** `keys create`; empty for the program itself. */
  readonly words: string
  readonly commands: readonly Word[]
  readonly options: readonly (Word & { readonly takesValue: boolean; readonly choices: readonly string[] })[]
  /** What the first argument can be, where that is a closed list. */
  readonly choices: readonly string[]
}

interface Word {
  readonly word: string
  readonly meaning: string
}

export const completionScript = (shell: (typeof shells)[number], program: Command): string =>
  ({ bash, zsh, fish })[shell](placesOf(program, ''))

function placesOf(command: Command, words: string): readonly Place[] {
  const inner = command.commands.map((one) => ({ one, words: `${words} ${one.name()}`.trim() }))
  const place: Place = {
    words,
    commands: inner.map(({ one }) => ({ word: one.name(), meaning: one.description() })),
    options: [
      ...command.options.map((option) => ({
        word: option.long ?? option.flags,
        meaning: option.description,
        takesValue: option.required,
        choices: option.argChoices ?? [],
      })),
      { word: '--help', meaning: 'display help for command', takesValue: false, choices: [] },
    ],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }
  return [place, ...inner.flatMap(({ one, words: place }) => placesOf(one, place))]
}

/** Single quotes for any of the shells; in a text of ours an apostrophe is rare, and a curly one reads as well. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`

/** Branches of a `case`, those that would do nothing left out. */
const branches = (entries: readonly (readonly [pattern: string, does: string])[]): string =>
  entries.map(([pattern, does]) => `    ${quoted(pattern)}) ${does} ;;`).join('\n')

const optionsWithChoices = (places: readonly Place[]) =>
  places.flatMap(({ words, options }) =>
    options.flatMap(({ word, choices }) => (choices.length > 0 ? [{ at: `${words} ${word}`, choices }] : [])),
  )

const commandWords = (places: readonly Place[]): readonly string[] =>
  places.flatMap(({ words }) => (words === '' ? [] : [words]))

/** The part that bash and zsh share: which command the words so far name. */
const findPlace = (places: readonly Place[], words: string): string => `  local place='' word
  for word in "\${${words}}"; do
    case "\${place:+$place }$word" in
      ${commandWords(places).map(quoted).join(' | ')}) place="\${place:+$place }$word" ;;
    esac
  done`

const bash = (places: readonly Place[]): string => `# Completion of lotkeeper for bash.
_lotkeeper() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" words=''
${findPlace(places, 'COMP_WORDS[@]:1:COMP_CWORD-1')}
  case "$place $before" in
${branches(optionsWithChoices(places).map(({ at, choices }) => [at, `words=${quoted(choices.join(' '))}`]))}
    *)
      case "$place" in
${branches(
  places.map(({ words, commands, options, choices }) => [
    words,
    `words=${quoted([...commands.map(({ word }) => word), ...choices, ...options.map(({ word }) => word)].join(' '))}`,
  ]),
)}
      esac ;;
  esac
  # Without a match the shell offers files.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lotkeeper lotkeeper
`

const described = (words: readonly Word[]): string =>
  words.map(({ word, meaning }) => quoted(`${word}:${meaning.replaceAll(':', '\\:')}`)).join(' ')

const zsh = (places: readonly Place[]): string => `#compdef lotkeeper
# Completion of lotkeeper for zsh.
_lotkeeper() {
  local -a offered
  local before="\${words[CURRENT-1]}"
${findPlace(places, '(@)words[2,CURRENT-1]')}
  case "$place $before" in
${branches(optionsWithChoices(places).map(({ at, choices }) => [at, `compadd -- ${choices.map(quoted).join(' ')}; return`]))}
  esac
  case "$place" in
${branches(
  places.map(({ words, commands, options, choices }) => [
    words,
    `offered=(${described([...commands, ...choices.map((word) => ({ word, meaning: word })), ...options])})${
      commands.length + choices.length > 0 ? '' : '; _files'
    }`,
  ]),
)}
  esac
  _describe 'lotkeeper' offered
}
if [ "$funcstack[1]" = '_lotkeeper' ]; then _lotkeeper "$@"; else compdef _lotkeeper lotkeeper; fi
`

const fish = (places: readonly Place[]): string => `# Completion of lotkeeper for fish.
function __lotkeeper_at
    set -l place
    for word in (commandline -opc)[2..]
        switch "$place $word"
            case ${commandWords(places)
              .map((words) => quoted(words.includes(' ') ? words : ` ${words}`))
              .join(' ')}
                set place (string trim "$place $word")
        end
    end
    test "$place" = "$argv[1]"
end
${places
  .flatMap(({ words, commands, options, choices }) => {
    const at = `complete -c lotkeeper -n ${quoted(`__lotkeeper_at "${words}"`)}`
    return [
      ...commands.map(({ word, meaning }) => `${at} -f -a ${quoted(word)} -d ${quoted(meaning)}`),
      ...(choices.length > 0 ? [`${at} -f -a ${quoted(choices.join(' '))}`] : []),
      ...options.map(
        ({ word, meaning, takesValue, choices: values }) =>
          `${at} -l ${word.slice(2)}${takesValue ? ' -r' : ''}${values.length > 0 ? ` -f -a ${quoted(values.join(' '))}` : ''} -d ${quoted(meaning)}`,
      ),
    ]
  })
  .join('\n')}
`
