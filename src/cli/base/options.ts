// Options that several commands have, and options made of the declaration of an operation.
import { Argument, InvalidArgumentError, Option } from 'commander'
import { isCalendarDate } from '../../contract/shape/date-and-time.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { type QueryParameter, readQuery } from '../../operations/base/query.ts'
import { eventKindWords, kindWords } from './kinds.ts'

/** An option whose value the command gets by its name in `query` or in `body`. */
export class OperationOption extends Option {
  readonly part: 'query' | 'body'

  constructor(part: 'query' | 'body', name: string, value: string, words: string) {
    super(`--${optionName(name)}${value}`, words)
    this.part = part
  }
}

/**
 * Parameters of a query as options: `shipToLocationCode` is `--ship-to-location-code`, and true or
 * false is a flag. Values that the service would reject are rejected here.
 */
export const queryOptions = (query: Readonly<Record<string, QueryParameter>>): readonly Option[] =>
  Object.entries(query).map(([name, parameter]) => {
    const { form, meaning, many, values } = parameter
    const words = meaning.replace(/^When `true`, /, '')
    const value = form === 'boolean' ? '' : ` <${formWords[form]}>`
    const option = new OperationOption('query', name, value, many ? `${words} May be repeated.` : words)
    if (form === 'boolean') return option
    if (values) option.choices(values)
    // Choices are checked below too where there may be several of them.
    if (values === undefined || many)
      option.argParser<unknown>((text, before) => {
        const all = many ? [...((before as readonly string[] | undefined) ?? []), text] : text
        const read = readQuery({ [name]: parameter }, { [name]: all })
        if ('problem' in read) throw new InvalidArgumentError(read.problem)
        return form === 'limit' ? Number(text) : all
      })
    return option
  })

/** The fields of a flat body as options, named in the same way; required ones must be given. */
export const fieldOptions = ({ properties = {}, required = [] }: Shape): readonly Option[] =>
  Object.entries(properties).map(([name, { type, description = '', 'x-form': form = 'text' }]) => {
    const value = type === 'boolean' ? '' : ` <${form}>`
    const isMany = type === 'array'
    const words = isMany ? `${description} May be repeated.` : description
    const option = new OperationOption('body', name, value, words).makeOptionMandatory(required.includes(name))
    if (isMany) option.argParser<readonly string[]>((one, before = []) => [...before, one])
    if (type === 'integer' || type === 'number') option.argParser(wholeNumber)
    return option
  })

export const optionName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const formWords = {
  text: 'text',
  date: 'date',
  dateTime: 'datetime',
  choice: 'choice',
  limit: 'number',
  cursor: 'cursor',
} as const satisfies Record<Exclude<QueryParameter['form'], 'boolean'>, string>

/** Reads a value of this form, or returns its expected form. */
export const matching =
  (form: RegExp, words: string) =>
  (value: string): string => {
    if (!form.test(value)) throw new InvalidArgumentError(words)
    return value
  }

const positiveNumber = matching(/^[1-9]\d{0,8}$/, 'It must be a whole number, 1 or more.')

/** A whole number from 1 on. */
const wholeNumber = (text: string): number => Number(positiveNumber(text))

/** An option, or an argument in brackets, that is the number of a version. */
export const versionOption = (flags: string, words: string): Option => new Option(flags, words).argParser(wholeNumber)
export const versionArgument = (name: string, words: string): Argument =>
  new Argument(name, words).argParser(wholeNumber)

export const requiredOption = (flags: string, words: string): Option => new Option(flags, words).makeOptionMandatory()

export const repeatedOption = (flags: string, words: string): Option =>
  new Option(flags, words).default([]).argParser<readonly string[]>((value, before) => [...before, value])

export const json = ['--json', 'print JSON for programs'] as const
export const jsonLines = ['--json', 'print one line of JSON for each, for programs'] as const
export const all = ['--all', 'every page, to the end'] as const
export const output = ['-o, --output <path>', 'file or folder to save to (default: stdout)'] as const

export const kindOption = new Option('--kind <kind>', 'kind of the record (default: detected)').choices(kindWords)

/** First event date from which lines need a lot number. */
export const lotNumberOption = (more = ''): Option =>
  new Option('--lot-number-required-from <date>', `first event date from which lines need a lot number${more}`)
    .env('LOT_NUMBER_REQUIRED_FROM')
    .argParser((text) => {
      if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a date, yyyy-MM-dd.')
      return text
    })

/** Payloads of receiving and shipping events look alike; the location of other events differs. */
export const eventKindOption = new Option(
  '--kind <kind>',
  'kind of the events in a payload (default: detected; event of a delivery)',
).choices(eventKindWords)

export const urlDefault = 'http://127.0.0.1:3000'

/** The service of a command: its address and the key. */
export const remoteOptions: readonly Option[] = [
  new Option('--url <address>', 'address of the service').env('LOTKEEPER_URL').default(urlDefault),
  new Option('--key <key>', 'key for the service; other users of this machine can see it here').env('LOTKEEPER_KEY'),
  new Option('--profile <name>', 'service and key that login stored (default: "default")').env('LOTKEEPER_PROFILE'),
]

/** An id, as examples show one. */
export const sampleId = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'
