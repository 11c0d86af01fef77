// The report of the public surface: a line for each name that users can depend on. Git keeps it, so
// that a change of the surface shows in review.
import type { Argument, Command, Option } from 'commander'
import { lotkeeperProgram } from '../src/cli/program.ts'
import { readConfig } from '../src/config.ts'
import type { Shape } from '../src/contract/shape/field.ts'
import { metrics } from '../src/metrics/declared.ts'
import { bodyOutcomes, commonOutcomes, type Operation, type Outcomes } from '../src/operations/base/operation.ts'
import type { QueryParameter } from '../src/operations/base/query.ts'
import { catalogue as operations } from '../src/operations/catalogue.ts'
import { catalogue as rules } from '../src/rules/catalogue.ts'
import { generateCommand } from './generated-files.ts'
import { namedShapes, titleOf, typeWords } from './shape-words.ts'

export function surfaceSections(): string[] {
  const { payloads, answers } = namedShapes()
  return [
    `Every name that users can depend on: a line for each operation, parameter, outcome, field, rule, command, option, variable and metric. \`${generateCommand}\` writes it. A test compares it with the sources, so that nothing of it changes unnoticed.`,
    'What each means is shown at `/docs` of a running service, and by `--help` of a command. `npm ci` also writes it to pages beside this one: `operations.md`, `fields.md`, `rules.md`, `problems.md`, `cli.md`, `template.md`, `schema.md`, `searches.md` and, for programs, `openapi.json`.',
    '## Operations',
    'Each with the lowest role that may call it, its parameters and headers, and how it ends.',
    listing([
      'every operation',
      ...outcomeLines(commonOutcomes),
      'every operation with a body',
      ...outcomeLines(bodyOutcomes),
      ...operations.flatMap(operationLines),
    ]),
    '## Payloads',
    'What is sent, and the objects in it.',
    listing([...payloads].flatMap(shapeLines)),
    '## Answers',
    listing([...answers].flatMap(shapeLines)),
    '## Rules',
    listing(rules.map(({ id, severity, summary }) => `${id} (${severity}): ${summary}`)),
    '## Command line',
    listing(commandLines(lotkeeperProgram(), '')),
    '## Variables',
    'Of the service: [configuration](../configuration.md). Those of commands are with their options.',
    listing(variables()),
    '## Metrics',
    listing(Object.entries(metrics).map(([name, { type, labels }]) => `${name} ${type} {${labels.join(', ')}}`)),
  ]
}

const listing = (lines: readonly string[]): string => `\`\`\`text\n${lines.join('\n')}\n\`\`\``

function operationLines(operation: Operation): string[] {
  const { name, method, path, role, body, query, headers, outcomes } = operation
  return [
    `${name}: ${method} ${path}, ${role}${body ? `, body ${nameOf(body as Shape)}` : ''}`,
    ...Object.entries(query).map(([parameter, declared]) => `  ?${parameter}: ${parameterWords(declared)}`),
    ...headers.map((header) => `  header ${header}`),
    ...outcomeLines(outcomes),
  ]
}

const parameterWords = ({ form, values, many }: QueryParameter): string =>
  `${values?.join(' | ') ?? form}${many ? ', several' : ''}`

const outcomeLines = (outcomes: Outcomes): string[] =>
  Object.entries(outcomes).map(([name, { status, body, media = {} }]) => {
    const types = [...(body ? [nameOf(body as Shape)] : []), ...Object.keys(media)]
    return `  ${status} ${name}${types.length > 0 ? `: ${types.join(', ')}` : ''}`
  })

const nameOf = (shape: Shape): string => plain(titleOf(shape) ?? typeWords(shape))

const shapeLines = ([title, { properties = {}, required = [] }]: readonly [string, Shape]): string[] => [
  title,
  ...Object.entries(properties).map(([name, field]) => {
    const need = required.includes(name)
      ? ', required'
      : field['x-required-when']
        ? `, required when ${plain(field['x-required-when'])}`
        : ''
    return `  ${name}: ${field.enum?.join(' | ') ?? plain(typeWords(field))}${need}`
  }),
]

function commandLines(command: Command, words: string): string[] {
  const name = `${words} ${command.name()}`.trim()
  return [
    `${name}: ${command.summary() || command.description()}`,
    ...command.registeredArguments.map(argumentLine),
    ...command.options.filter(({ hidden }) => !hidden).map(optionLine),
    ...command.commands.flatMap((inner) => commandLines(inner, name)),
  ]
}

const argumentLine = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return `  ${argument.required ? `<${name}>` : `[${name}]`}`
}

const optionLine = ({ flags, mandatory, envVar, argChoices }: Option): string =>
  `  ${flags}${argChoices ? `: ${argChoices.join(' | ')}` : ''}${envVar ? `, or ${envVar}` : ''}${mandatory ? ', required' : ''}`

/** The names that the service reads when none is set. */
function variables(): string[] {
  const read = new Set<string>()
  readConfig(
    new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get: (_, name) => {
          read.add(String(name))
          return undefined
        },
      },
    ),
  )
  return [...read].sort()
}

/** Without links and code. */
const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
