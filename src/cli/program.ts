// Every command: its words, options and examples. What a command does is loaded when it runs, so
// that none waits for the others.
import { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander'
import { recordOperations } from '../client/generated/addresses.ts'
import { lotNumberRequiredFromDefault } from '../contract/product-line.ts'
import { ownRoles } from '../contract/role.ts'
import { isCalendarDate } from '../contract/shape/date-and-time.ts'
import type { Shape } from '../contract/shape/field.ts'
import { signatureKinds } from '../contract/webhooks.ts'
import { findTimeZone } from '../intake/local-time.ts'
import type { Operation } from '../operations/base/operation.ts'
import { operations } from '../operations/catalogue.ts'
import { correctionQuery } from '../operations/corrections/bulk-corrections.ts'
import { type CommandEnd, end } from '../terminal/command-end.ts'
import { version as programVersion } from '../version.ts'
import { eventKindWords, type KindWord, kinds, kindWords } from './base/kinds.ts'
import { queryOf, version, withExamples, withFieldOptions, withQueryOptions } from './base/options.ts'
import { withoutEndSlashes, withRemoteOptions } from './base/remote.ts'

/** What commander hands to an action: arguments, options, the command. */
// biome-ignore lint/suspicious/noExplicitAny: each action says what its own arguments and options are
type Act = (...given: any[]) => Promise<CommandEnd>

const runs = (command: Command, act: Act): Command => command.action((...given) => end(act(...given)))

const json = ['--json', 'print JSON for programs'] as const
const jsonLines = ['--json', 'print one line of JSON for each, for programs'] as const

const kindOption = () => new Option('--kind <kind>', 'kind of the record (default: detected)').choices(kindWords)
/** Payloads of both kinds of events look alike. */
const eventKindOption = () =>
  new Option('--kind <kind>', 'kind of the events in a payload').choices(eventKindWords).default('event')

export function lotkeeperProgram(): Command {
  const program = new Command('lotkeeper')
    .description('Stores, replaces and exports food-traceability records (FSMA 204).')
    .version(programVersion)
    // Of `get --version 1` the program itself would take --version otherwise.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`lotkeeper: ${text.replace(/^error: /, '')}`) })
    .configureHelp({ optionDescription: describeOption })
    .addHelpCommand(
      new Command('help').argument('[command]').description('Show the help of a command').helpGroup('The service:'),
    )
    .addHelpText('after', footer)
  addServing(program)
  addRecords(program)
  addPayloads(program)
  addCorrections(program)
  addFiles(program)
  addChanges(program)
  addPull(program)
  addWebhooks(program)
  addPartners(program)
  addTraceability(program)
  addPlan(program)
  addEvidence(program)
  addOperating(program)
  // A group has --help; a help command in it would stand below a heading of the program.
  for (const command of program.commands) command.helpCommand(false)
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

/** The words of an option. A default that says nothing, false or an empty list, is left out. */
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
key LOTKEEPER_KEY. serve, keys, migrate and doctor use the database at
DATABASE_URL or DATA_DIR. docs/configuration.md lists every setting.

Exit code: 0 success, 1 failure, 2 wrong usage. Results go to stdout,
everything else to stderr. Colours appear only on a terminal without NO_COLOR.
`

function addServing(program: Command): void {
  const serve = program.command('serve').description('Start the service').helpGroup('The service:')
  withExamples(serve, 'DATABASE_URL=postgres://lotkeeper@localhost/lotkeeper lotkeeper serve')
  runs(serve, async () => (await import('../operator/serve.ts')).serve())

  const keys = program
    .command('keys')
    .description('Create, list and revoke keys, also beside a running server')
    .helpGroup('The service:')
  withExamples(keys, 'lotkeeper keys list')
  const create = keys
    .command('create')
    .description('Create a key and print it, once')
    .option('--provider <name>', 'data provider of the key; created when there is none of this name', 'default')
    .addOption(new Option('--role <role>', 'what the key is allowed to do').choices(ownRoles).default('writer'))
    .option('--label <text>', 'what the key is for', '')
    .option('--person <name>', 'the person who has the key, as histories show it')
    .option('--expires <date>', 'last day of the key, yyyy-MM-dd in UTC (default: never)')
  withExamples(create, 'lotkeeper keys create --provider "Green Valley" --person "Ana Lopez"')
  runs(create, async (options) => (await import('../operator/keys.ts')).createKey(options))
  const list = keys.command('list').description('List the keys of all providers').option('--json', 'as JSON')
  withExamples(list, 'lotkeeper keys list --json')
  runs(list, async (options) => (await import('../operator/keys.ts')).listKeys(options))
  const revoke = keys
    .command('revoke')
    .description('Revoke a key; servers reject it within two seconds')
    .argument('<key id>', 'as `keys list` shows it; the whole key is accepted too')
  withExamples(revoke, 'lotkeeper keys revoke 1f0c6c2b9a7d4e11')
  runs(revoke, async (keyId) => (await import('../operator/keys.ts')).revokeKey(keyId))
}

const sampleId = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'

function addRecords(program: Command): void {
  const record = (name: string, description: string) =>
    program.command(name).description(description).helpGroup('Records:').argument('<id>', 'id of the record')

  const get = withRemoteOptions(
    record('get', 'Read a record, or one version of it')
      .addOption(kindOption())
      .addOption(new Option('--version <number>', 'this version of it (default: the current one)').argParser(version))
      .option('--json', 'print JSON that you can edit and send back with put'),
  )
  withExamples(get, `lotkeeper get ${sampleId}`, `lotkeeper get ${sampleId} --json > event.json`)
  runs(get, async (id, options) => (await import('./records/get.ts')).get(id, options))

  addLists(program)

  const versions = withRemoteOptions(
    record('versions', 'List the versions of a record, newest first')
      .addOption(kindOption())
      .option(...jsonLines),
  )
  withExamples(versions, `lotkeeper versions ${sampleId}`)
  runs(versions, async (id, options) => (await import('./records/list.ts')).versions(id, options))

  const diff = withRemoteOptions(
    record('diff', 'Show what changed between two versions of a record')
      .addArgument(new Argument('[from]', 'a version (default: the one before the last)').argParser(version))
      .addArgument(new Argument('[to]', 'a version (default: the last)').argParser(version))
      .addOption(kindOption())
      .option(...json),
  )
  withExamples(diff, `lotkeeper diff ${sampleId}`, `lotkeeper diff ${sampleId} 1 3`)
  runs(diff, async (id, from, to, options) => (await import('./records/diff.ts')).diff(id, from, to, options))

  const findings = withRemoteOptions(
    record('findings', 'Show the gaps and warnings of a record, and what to do about them')
      .addOption(kindOption())
      .addOption(new Option('--version <number>', 'a version of it (default: the last)').argParser(version))
      .addOption(
        new Option('--judged <when>', "as judged when it was submitted, or with today's master data").choices([
          'then',
          'now',
        ]),
      )
      .option(...json),
  )
  withExamples(findings, `lotkeeper findings ${sampleId}`, `lotkeeper findings ${sampleId} --judged now`)
  runs(findings, async (id, options) => (await import('./records/record-findings.ts')).recordFindings(id, options))
}

function addLists(program: Command): void {
  const lists = program
    .command('list')
    .description('List events, products or locations, newest first')
    .helpGroup('Records:')
  withExamples(lists, 'lotkeeper list events --lot-code GV26063-A')
  const example: Readonly<Record<KindWord, string>> = {
    event: 'lotkeeper list events --lot-code GV26063-A --all --json > events.ndjson',
    'shipping-event': 'lotkeeper list shipping-events --ship-to-location-code DC-07',
    product: 'lotkeeper list products --item-code ROM-24',
    location: 'lotkeeper list locations --data-provider-vendor-id V-1001',
  }
  for (const word of kindWords) {
    const { name, nouns } = kinds[word]
    const { query }: Operation = operations[recordOperations[name].list]
    const command = lists.command(`${word}s`).description(`List ${nouns}, newest first`)
    withQueryOptions(command, query)
      .option('--all', 'every page, to the end')
      .option(...jsonLines)
    withExamples(withRemoteOptions(command), example[word])
    runs(command, async (options) =>
      (await import('./records/list.ts')).list(word, { ...options, query: queryOf(query, options) }),
    )
  }
}

const lotNumberOption = () =>
  new Option('--lot-number-required-from <date>', 'first event date from which lines need a lot number')
    .env('LOT_NUMBER_REQUIRED_FROM')
    .default(lotNumberRequiredFromDefault)
    .argParser(calendarDate)

/** Only a dry run without a service needs it; an import reads the setting of the service. */
const lotNumberOverride = () =>
  new Option(
    '--lot-number-required-from <date>',
    'first event date from which lines need a lot number (default: the date of the service)',
  )
    .env('LOT_NUMBER_REQUIRED_FROM')
    .argParser(calendarDate)

function addPayloads(program: Command): void {
  const payload = (name: string, description: string) =>
    program.command(name).description(description).helpGroup('Payloads:')
  const file = ['<file>', 'the payload as JSON, - for stdin'] as const
  const dryRun = ['--dry-run', 'validate without storing (dry run)'] as const
  const strict = ['--strict', 'treat warnings as errors'] as const

  const create = withRemoteOptions(
    payload('create', 'Create the records of a payload, all or none; prints their ids')
      .argument(...file)
      .option(...dryRun)
      .option(...strict)
      .addOption(eventKindOption())
      .option('--idempotency-key <text>', 'makes the command safe to repeat (default: a new key each time)')
      .option(...json),
  )
  withExamples(
    create,
    'lotkeeper create examples/receiving-event.json',
    'lotkeeper create examples/shipping-event.json --kind shipping-event',
  )
  runs(create, async (name, options) => (await import('./records/write.ts')).create(name, options))

  const put = withRemoteOptions(
    payload('put', 'Replace a record as a whole; fields that the payload lacks are removed')
      .argument('<id>', 'id of the record')
      .argument(...file)
      .option(...dryRun)
      .option(...strict)
      .addOption(eventKindOption())
      .addOption(new Option('--if-match <version>', 'replace only this version').argParser(version))
      .option(...json),
  )
  withExamples(put, `lotkeeper put ${sampleId} event.json --dry-run`)
  runs(put, async (id, name, options) => (await import('./records/write.ts')).put(id, name, options))

  const voiding = withRemoteOptions(
    payload('void', 'Void an event that was entered by mistake; it stays stored, and put brings it back')
      .argument('<id>', 'id of the record')
      .requiredOption('--reason <text>', 'why it was entered by mistake')
      .option(...dryRun)
      .addOption(new Option('--if-match <version>', 'void only this version').argParser(version))
      .option(...json),
  )
  withExamples(voiding, `lotkeeper void ${sampleId} --reason "Entered twice"`)
  runs(voiding, async (id, options) => (await import('./records/write.ts')).voidEvent(id, options))

  const validate = payload('validate', 'Validate payloads without the service')
    .argument('<files...>', 'payloads as JSON, - for stdin; one per line in .ndjson and .jsonl')
    .option(...strict)
    .addOption(eventKindOption())
    .option('--ndjson', 'read one payload per line, whatever the file name')
    .addOption(lotNumberOption())
    .option(...jsonLines)
  withExamples(validate, 'lotkeeper validate examples/*.json', 'lotkeeper validate events.ndjson --json')
  runs(validate, async (files, options) => (await import('./records/validate.ts')).validate(files, options))
}

function addCorrections(program: Command): void {
  const correct = program
    .command('correct')
    .description('Change fields of many receiving events: preview, then new versions with one reason')
    .helpGroup('Payloads:')
    .requiredOption('--reason <text>', 'why they are corrected; the history of each event shows it')
    .option('--set <field=value>', 'fill the field where it is missing; may be repeated', append, [])
    .option('--replace <field=value>', 'with --set or --remove: only where it has this value', append, [])
    .option('--remove <field>', 'remove the field; needs --replace or --overwrite', append, [])
    .option('--overwrite', 'change the fields whatever their values are', false)
  withQueryOptions(correct, correctionQuery)
    .option('--undo <correction>', 'bring its events back to what stood before')
    .option('--dry-run', 'only preview', false)
    .option('--yes', 'correct without asking', false)
    .option('--report <file>', 'save a row for each event, as .xlsx or .csv')
    .option(...json)
  withExamples(
    withRemoteOptions(correct),
    'lotkeeper correct --set packStyle=Carton --reason "New box" --dry-run',
    'lotkeeper correct --replace asnNumber=A-1 --set asnNumber=B-1 --reason Typo',
    'lotkeeper correct --undo 019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f --reason "Wrong"',
  )
  runs(correct, async (options) =>
    (await import('./corrections/correct.ts')).correct({ ...options, query: queryOf(correctionQuery, options) }),
  )
}

const count = (value: string) => Number(matching(/^(\d|[1-9]\d|1\d\d|200)$/, 'It must be 0 to 200.')(value))

function addChanges(program: Command): void {
  const { after: _after, limit: _limit, wait: _wait, ...query } = operations.listChanges.query
  const following = (name: string, description: string, lastDefault: number) =>
    withQueryOptions(program.command(name).description(description).helpGroup('Changes:'), query)
      .option('--after <position>', 'begin behind this position')
      .addOption(
        new Option('--last <number>', 'begin with so many changes before now').default(lastDefault).argParser(count),
      )
      .option('--from-start', 'begin with the first change', false)
      .option('--no-follow', 'end with the newest change')
      .option(...jsonLines)

  const tail = following('tail', 'Show changes of records as they happen', 10)
  withExamples(
    withRemoteOptions(tail),
    'lotkeeper tail',
    'lotkeeper tail --from-start --no-follow --json > changes.ndjson',
  )
  runs(tail, async (options) =>
    (await import('./changes/tail.ts')).tail({ ...options, query: queryOf(query, options) }),
  )

  const listen = following('listen', 'Send changes to a program on this machine, as signed webhook messages', 0)
    .requiredOption('--to <address>', 'where to send them')
    .addOption(
      new Option('--signature <kind>', 'kind of the signature').choices(signatureKinds).default(signatureKinds[0]),
    )
    .option('--secret <key>', 'key that signs, as an earlier run printed it (default: a new one)')
    .option('--record', 'send the record too', false)
  withExamples(
    withRemoteOptions(listen),
    'lotkeeper listen --to http://localhost:8080/lotkeeper',
    'lotkeeper listen --to http://localhost:8080/lotkeeper --last 10 --no-follow',
  )
  runs(listen, async (options) =>
    (await import('./changes/listen.ts')).listen({ ...options, query: queryOf(query, options) }),
  )
}

function addPull(program: Command): void {
  const pull = program
    .command('pull')
    .description('Gather what a supplier shares with you into your account, from their service')
    .helpGroup('Changes:')
    .requiredOption('--from <address>', 'address of the service of the supplier')
    .addOption(new Option('--from-key <key>', 'key that the supplier gave you').env('LOTKEEPER_FROM_KEY'))
    .option('--journal <file>', 'what came from where, and where to go on (default: pull-….ndjson)')
    .option('--no-follow', 'end with the newest change')
    .option(...jsonLines)
  withExamples(
    withRemoteOptions(pull),
    'LOTKEEPER_FROM_KEY=lk_… lotkeeper pull --from https://trace.example.com',
    'lotkeeper pull --from https://trace.example.com --no-follow',
  )
  runs(pull, async (options) => (await import('./changes/pull.ts')).pull(options))
}

function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('List, create and change webhooks, to which changes and alerts are sent')
    .helpGroup('Changes:')
  withExamples(webhooks, 'lotkeeper webhooks list')
  const list = webhooks
    .command('list')
    .description('List webhooks')
    .option(...jsonLines)
  withExamples(withRemoteOptions(list), 'lotkeeper webhooks list')
  runs(list, async (options) => (await import('./changes/webhooks.ts')).listWebhooks(options))

  // The address of the service is --url.
  const { url: _url, ...fields } = (operations.createWebhook.body as Shape).properties ?? {}
  const create = withFieldOptions(
    webhooks
      .command('create')
      .description('Create a webhook and print its key')
      .requiredOption('--to <address>', 'where messages are sent'),
    { properties: fields },
  ).option(...json)
  withExamples(
    withRemoteOptions(create),
    'lotkeeper webhooks create --to https://erp.example.com/lotkeeper',
    "lotkeeper webhooks create --to https://chat.example.com/hook --types 'alert.*'",
  )
  runs(create, async (options) => (await import('./changes/webhooks.ts')).createWebhook(options))

  const { query } = operations.listWebhookAttempts
  const attempts = withQueryOptions(
    webhooks
      .command('attempts')
      .description('List what was sent, and the answers')
      .argument(...webhookId),
    query,
  )
    .option('--all', 'every page, to the end')
    .option(...jsonLines)
  withExamples(withRemoteOptions(attempts), `lotkeeper webhooks attempts ${sampleId} --failed`)
  runs(attempts, async (id, options) =>
    (await import('./changes/webhooks.ts')).listWebhookAttempts({
      ...options,
      query: { id, ...queryOf(query, options) },
    }),
  )

  const actions = {
    test: ['Send a test message', 'testWebhook'],
    resume: ['Enable a disabled webhook, or make the next attempt now', 'resumeWebhook'],
    replay: ['Send changes again, in order', 'replayWebhook'],
    rotate: ['Make a new key; the old one signs too for 24 hours', 'rotateWebhookKey'],
    delete: ['Delete a webhook, with its key and its attempts', 'deleteWebhook'],
  } as const
  for (const [word, [description, name]] of Object.entries(actions)) {
    const action = webhooks
      .command(word)
      .description(description)
      .argument(...webhookId)
    if (word === 'replay') action.option('--after <position>', 'of the last change not to be sent (default: send all)')
    action.option(...json)
    withExamples(withRemoteOptions(action), `lotkeeper webhooks ${word} ${sampleId}`)
    runs(action, async (id, options) => (await import('./changes/webhooks.ts'))[name](id, options))
  }
}

function addPartners(program: Command): void {
  const partners = program
    .command('partners')
    .description('Share receiving events with customers and vendors, and see what they read')
    .helpGroup('Sharing:')
  withExamples(partners, 'lotkeeper partners list')
  const run = async (name: keyof typeof import('./sharing/partners.ts'), ...given: readonly unknown[]) => {
    const act = (await import('./sharing/partners.ts'))[name] as (...given: readonly unknown[]) => Promise<CommandEnd>
    return act(...given)
  }
  const listing = (command: Command, query: Parameters<typeof withQueryOptions>[1]) =>
    withRemoteOptions(
      withQueryOptions(command, query)
        .option('--all', 'every page, to the end')
        .option(...jsonLines),
    )

  const list = listing(partners.command('list').description('List partners'), operations.listPartners.query)
  withExamples(list, 'lotkeeper partners list')
  runs(list, (options) => run('listPartners', { ...options, query: queryOf(operations.listPartners.query, options) }))

  const deleted = listing(
    partners.command('deleted').description('List deleted partners; `accesses` lists what each of them read'),
    operations.listDeletedPartners.query,
  )
  withExamples(deleted, 'lotkeeper partners deleted')
  runs(deleted, (options) =>
    run('listDeletedPartners', { ...options, query: queryOf(operations.listDeletedPartners.query, options) }),
  )

  const places = listing(
    partners
      .command('places')
      .description('List stored places that events are shipped to, and the partner that has each'),
    operations.suggestPlaces.query,
  )
  withExamples(places, 'lotkeeper partners places --all')
  runs(places, (options) =>
    run('suggestPlaces', { ...options, query: queryOf(operations.suggestPlaces.query, options) }),
  )

  const show = partners
    .command('show')
    .description('Print a partner as JSON, which can be edited and sent back with replace')
    .argument(...partnerId)
    .option(...json)
  withExamples(withRemoteOptions(show), `lotkeeper partners show ${sampleId} > partner.json`)
  runs(show, (id, options) => run('showPartner', id, options))

  const file = ['<file>', 'name, places and grants as JSON; - for stdin'] as const
  const dryRun = ['--dry-run', 'say what the partner would see, and store nothing'] as const
  const create = partners
    .command('create')
    .description('Create a partner')
    .argument(...file)
    .option(...dryRun)
    .option(...json)
  withExamples(withRemoteOptions(create), 'lotkeeper partners create partner.json --dry-run')
  runs(create, (path, options) => run('createPartner', path, options))

  const replace = partners
    .command('replace')
    .description('Replace the name, places and grants of a partner')
    .argument(...partnerId)
    .argument(...file)
    .option(...dryRun)
    .option(...json)
  withExamples(withRemoteOptions(replace), `lotkeeper partners replace ${sampleId} partner.json`)
  runs(replace, (id, path, options) => run('replacePartner', id, path, options))

  const invite = withFieldOptions(
    partners
      .command('invite')
      .description('Print a link that makes a key for the partner, once')
      .argument(...partnerId),
    operations.invitePartner.body as unknown as Shape,
  ).option(...json)
  withExamples(withRemoteOptions(invite), `lotkeeper partners invite ${sampleId} --label ERP`)
  runs(invite, (id, { expiresInHours, ...options }) =>
    run('invitePartner', id, { ...options, ...(expiresInHours && { expiresInHours: Number(expiresInHours) }) }),
  )

  const accept = partners
    .command('accept')
    .description('Accept an invitation and print the key that it makes')
    .argument('<link>', 'link of the invitation')
    .option(...json)
  withExamples(accept, 'lotkeeper partners accept "https://trace.example.com/console/invitation#lk_…"')
  runs(accept, (link, options) => run('acceptInvitation', link, options))

  const revoke = partners
    .command('revoke')
    .description('Revoke a key or an invitation of a partner')
    .argument(...partnerId)
    .argument('<key id>', 'as `partners show` has it')
  withExamples(withRemoteOptions(revoke), `lotkeeper partners revoke ${sampleId} ab12cd34`)
  runs(revoke, (id, keyId, options) => run('revokePartnerKey', id, keyId, options))

  const accesses = listing(
    partners
      .command('accesses')
      .description('List what the keys of a partner read, newest first')
      .argument(...partnerId),
    operations.listPartnerAccesses.query,
  )
  withExamples(accesses, `lotkeeper partners accesses ${sampleId} --all`)
  runs(accesses, (id, options) =>
    run('listPartnerAccesses', {
      ...options,
      query: { id, ...queryOf(operations.listPartnerAccesses.query, options) },
    }),
  )

  const remove = partners
    .command('delete')
    .description('Stop sharing with a partner: its keys end, and everything is withdrawn')
    .argument(...partnerId)
  withExamples(withRemoteOptions(remove), `lotkeeper partners delete ${sampleId}`)
  runs(remove, (id, options) => run('deletePartner', id, options))
}

const partnerId = ['<id>', 'as `partners list` shows it'] as const

const webhookId = ['<id>', 'as `webhooks list` shows it'] as const

const append = (value: string, before: readonly string[]): readonly string[] => [...before, value]

/** Reads an option of this form, or says what it has to be. */
const matching = (form: RegExp, has: string) => (value: string) => {
  if (!form.test(value)) throw new InvalidArgumentError(has)
  return value
}
const offset = matching(/^(Z|[+-](0\d|1[0-4]):00)$/, 'It must be Z, or whole hours such as -08:00.')
const timeOfDay = matching(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'It must be a time such as 12:00:00.')
const timeZone = (value: string): string => {
  const zone = findTimeZone(value)
  if (zone === undefined) throw new InvalidArgumentError('It must be a time zone such as America/New_York.')
  return zone
}
const parallel = (value: string) => Number(matching(/^([1-9]\d?|[1-4]\d\d)$/, 'It must be 1 to 499.')(value))

function addFiles(program: Command): void {
  const files = (name: string, description: string) =>
    program.command(name).description(description).helpGroup('Payloads:')

  const importing = withRemoteOptions(
    files('import', 'Import files of receiving and shipping events, products and locations')
      .argument(
        '<files...>',
        'NDJSON, CSV or XLSX, an archive, ship notices (X12 856), or an EPCIS document, recognised by what is in them',
      )
      .addOption(
        new Option(
          '--dry-run [where]',
          'validate without storing: here, or in the service, which knows what is stored (default: service with a key)',
        ).choices(['here', 'service']),
      )
      .option('--replace', 'replace stored records (default: list what would change)', false)
      .option('--yes', 'with --replace: remove product lines that the file lacks, without asking', false)
      .option('--mapping <file>', 'which heading is which column, as JSON (default: suggest one)')
      .option('--set <column=value>', 'value for a missing or blank column; may be repeated', append, [])
      .addOption(new Option('--dates <order>', 'how 03/04/2026 is read').choices(['mdy', 'dmy']).default('mdy'))
      .addOption(new Option('--utc-offset <offset>', 'offset of times that have none: -08:00 or Z').argParser(offset))
      .addOption(
        new Option(
          '--time-zone <zone>',
          'time zone of times without an offset, e.g. America/New_York; each date has its own offset',
        )
          .conflicts('utcOffset')
          .argParser(timeZone),
      )
      .option(
        '--sheet <name>',
        'sheet to read, hidden or not; may be repeated (default: all visible sheets)',
        append,
        [],
      )
      .addOption(
        new Option('--time <HH:mm:ss>', 'time of day for events with a date only')
          .default('12:00:00')
          .argParser(timeOfDay),
      )
      .option('--restore-zeros', 'restore leading zeros that a spreadsheet removed from codes', false)
      .option('--no-complete', 'do not complete codes of a sheet from stored locations and products')
      .addOption(
        new Option(
          '--kind <kind>',
          'kind of events to import (default: what each sheet says; receiving where nothing does)',
        ).choices(eventKindWords),
      )
      .addOption(lotNumberOverride())
      .addOption(new Option('--parallel <n>', 'maximum number of calls at once').default(64).argParser(parallel))
      .option(...jsonLines),
  )
  withExamples(
    importing,
    'lotkeeper import events.xlsx --dry-run',
    'lotkeeper import received.csv --set dataProviderVendorId=V-1001',
    'lotkeeper import shipped.csv --kind shipping-event',
  )
  runs(importing, async (paths, options) => (await import('./exchange/import.ts')).importFiles(paths, options))

  const template = files('template', 'Write an import template to fill in')
    .argument('<file>', 'events.xlsx or events.csv')
    .addOption(
      new Option('--kind <kind>', 'kind of the events (default: both in XLSX, event in CSV)').choices(eventKindWords),
    )
  withExamples(template, 'lotkeeper template events.xlsx', 'lotkeeper template shipped.csv --kind shipping-event')
  runs(template, async (path, options) => (await import('./exchange/template.ts')).writeTemplate(path, options))
}

function addTraceability(program: Command): void {
  const output = ['-o, --output <path>', 'file or folder to save to (default: stdout)'] as const

  const trace = program
    .command('trace')
    .description('Trace a lot: who had it, from whom, and what the records leave open')
  trace.helpGroup('Traceability:').argument('<lot code>', 'as on the case, or any GS1 text that contains it')
  withQueryOptions(trace, operations.traceLot.query)
    .option(...output)
    .option(...json)
  withExamples(
    withRemoteOptions(trace),
    'lotkeeper trace GV26063-A',
    'lotkeeper trace GV26063-A --format svg --output lot.svg',
  )
  runs(trace, async (lotCode, options) =>
    (await import('./traceability/trace.ts')).trace(lotCode, {
      ...options,
      query: queryOf(operations.traceLot.query, options),
    }),
  )

  const { query: completenessQuery } = operations.readCompleteness
  const completeness = program.command('completeness').description('Count lines that have every key data element')
  completeness.helpGroup('Traceability:')
  withQueryOptions(completeness, completenessQuery).option(...json)
  withExamples(
    withRemoteOptions(completeness),
    'lotkeeper completeness --by dataProviderVendorId',
    'lotkeeper completeness --by kde --event-start-date 2026-03-01',
  )
  runs(completeness, async (options) =>
    (await import('./traceability/completeness.ts')).completeness({
      ...options,
      query: queryOf(completenessQuery, options),
    }),
  )

  const { query: gapsQuery } = operations.listGaps
  const gaps = program.command('gaps').description('List receiving events that lack a key data element, latest first')
  gaps.helpGroup('Traceability:')
  withQueryOptions(gaps, gapsQuery)
    .option('--all', 'every page, to the end')
    .option(...jsonLines)
  withExamples(withRemoteOptions(gaps), 'lotkeeper gaps --data-provider-vendor-id V-1001 --all')
  runs(gaps, async (options) =>
    (await import('./traceability/completeness.ts')).gaps({ ...options, query: queryOf(gapsQuery, options) }),
  )

  const { query: differencesQuery } = operations.listDifferences
  const differences = program
    .command('differences')
    .description('Compare what was shipped with what was received, and list what does not agree')
  differences.helpGroup('Traceability:')
  withQueryOptions(differences, differencesQuery)
    .option('--all', 'every page, to the end')
    .option(...output)
    .option(...json)
  withExamples(
    withRemoteOptions(differences),
    'lotkeeper differences --event-start-date 2026-03-01',
    'lotkeeper differences --kind notReceived --all --json',
    'lotkeeper differences --data-provider-vendor-id V-1001 --format csv -o .',
  )
  runs(differences, async (options) =>
    (await import('./traceability/differences.ts')).differences({
      ...options,
      query: queryOf(differencesQuery, options),
    }),
  )

  const exports = program
    .command('export')
    .description('Export receiving and shipping events for FDA and trading partners')
  exports.helpGroup('Traceability:')
  withExamples(exports, 'lotkeeper export package --event-start-date 2026-03-01 --output .')
  const files = {
    fda: ['exportFdaSpreadsheet', "Make FDA's electronic sortable spreadsheet", '--event-start-date 2026-03-01 -o .'],
    package: [
      'exportFdaPackage',
      'Make a ZIP archive of everything FDA asks for',
      '--lot-code GV26063-A --gaps -o lot.zip',
    ],
  } as const
  for (const [word, [operation, description, example]] of Object.entries(files)) {
    const { query } = operations[operation]
    const command = withQueryOptions(exports.command(word).description(description), query).option(...output)
    withExamples(withRemoteOptions(command), `lotkeeper export ${word} ${example}`)
    runs(command, async (options) =>
      (await import('./traceability/export.ts')).exportFile(operation, { ...options, query: queryOf(query, options) }),
    )
  }
  const archive = exports.command('ndjson').description('Make an archive of everything, with its history and proofs')
  withExamples(withRemoteOptions(archive.option(...output)), 'lotkeeper export ndjson --output .')
  runs(archive, async (options) => (await import('./traceability/export.ts')).exportArchive(options))
  // Every page is fetched, so nobody has to name one.
  const { perPage: _size, nextPageToken: _token, ...query } = operations.exportEpcis.query
  const epcis = exports
    .command('epcis')
    .description('Export receiving or shipping events as one EPCIS 2.0 document (JSON-LD)')
  withQueryOptions(epcis, query).option(...output)
  withExamples(withRemoteOptions(epcis), 'lotkeeper export epcis --lot-code GV26063-A > lot.jsonld')
  runs(epcis, async (options) =>
    (await import('./traceability/export.ts')).exportEpcis({ ...options, query: queryOf(query, options) }),
  )
}

function addPlan(program: Command): void {
  const plan = program
    .command('plan')
    .description('Show and replace the traceability plan (21 CFR 1.1315)')
    .helpGroup('Traceability:')
  withExamples(plan, 'lotkeeper plan show')

  const { query } = operations.readTraceabilityPlan
  const show = withQueryOptions(plan.command('show').description('Show the plan, and what it lacks'), query)
    .addOption(new Option('--version <number>', 'this version of it (default: the one in force)').argParser(version))
    .option('--json', 'print JSON that you can edit and send back with plan set')
  withExamples(
    withRemoteOptions(show),
    'lotkeeper plan show --on-date 2026-03-04',
    'lotkeeper plan show --json > plan.json',
  )
  runs(show, async (options) =>
    (await import('./traceability/plan.ts')).showPlan({ ...options, query: queryOf(query, options) }),
  )

  const set = plan
    .command('set')
    .description('Replace the plan as a whole; needs an administrator key')
    .argument('<file>', 'the plan as JSON, - for stdin')
    .addOption(new Option('--if-match <version>', 'replace only this version').argParser(version))
    .option(...json)
  withExamples(withRemoteOptions(set), 'lotkeeper plan set plan.json')
  runs(set, async (file, options) => (await import('./traceability/plan.ts')).setPlan(file, options))

  const { query: pages } = operations.listTraceabilityPlanVersions
  const versions = withQueryOptions(plan.command('versions').description('List its versions, newest first'), pages)
    .option('--all', 'every page, to the end')
    .option(...jsonLines)
  withExamples(withRemoteOptions(versions), 'lotkeeper plan versions')
  runs(versions, async (options) =>
    (await import('./traceability/plan.ts')).listPlanVersions({ ...options, query: queryOf(pages, options) }),
  )
}

function addEvidence(program: Command): void {
  const verify = program
    .command('verify')
    .description('Check that an archive or a mock recall was not altered, without the service')
    .helpGroup('Traceability:')
    .argument('<file>', 'as `lotkeeper export ndjson` makes it, or the saved report of a mock recall')
    .option('--key <file>', 'public key that must have signed it, as PEM; may be repeated', append, [])
    .option(...json)
  withExamples(verify, 'lotkeeper verify archive-2026-03-04.ndjson --key signing-key.pub.pem')
  runs(verify, async (file, options) => (await import('./exchange/verify.ts')).verify(file, options))
}

function calendarDate(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a date, yyyy-MM-dd.')
  return text
}

function addHolds(program: Command): void {
  const holds = program
    .command('holds')
    .description('List, set and lift legal holds, which keep records from being purged')
    .helpGroup('The service:')
  withExamples(holds, 'lotkeeper holds list --standing')
  const { query } = operations.listLegalHolds
  const list = withQueryOptions(holds.command('list').description('List legal holds, newest first'), query)
    .option('--all', 'every page, to the end')
    .option(...jsonLines)
  withExamples(withRemoteOptions(list), 'lotkeeper holds list --standing')
  runs(list, async (options) =>
    (await import('./keeping/holds.ts')).listHolds({ ...options, query: queryOf(query, options) }),
  )

  const set = withFieldOptions(
    holds.command('set').description('Set a legal hold and print its id; all conditions must match'),
    operations.setLegalHold.body,
  )
  withExamples(withRemoteOptions(set), 'lotkeeper holds set --reason "Recall 2026-014" --lot-code GV26063-A')
  runs(set, async (options) => (await import('./keeping/holds.ts')).setHold(options))

  const lift = holds.command('lift').description('Lift a legal hold').argument('<id>', 'as `holds list` shows it')
  withExamples(withRemoteOptions(lift), `lotkeeper holds lift ${sampleId}`)
  runs(lift, async (id, options) => (await import('./keeping/holds.ts')).liftHold(id, options))
}

function addTimeZones(program: Command): void {
  const zones = program
    .command('time-zones')
    .description('List and set the time zones of locations: the date received or shipped is the date there')
    .helpGroup('The service:')
  withExamples(zones, 'lotkeeper time-zones set DC-07 America/New_York')
  const { query } = operations.listTimeZones
  const list = withQueryOptions(zones.command('list').description('List the time zones that are set'), query)
    .option('--all', 'every page, to the end')
    .option(...jsonLines)
  withExamples(withRemoteOptions(list), 'lotkeeper time-zones list --all')
  runs(list, async (options) =>
    (await import('./records/time-zones.ts')).listTimeZones({ ...options, query: queryOf(query, options) }),
  )

  const vendor = ['--data-provider-vendor-id <text>', 'vendor whose location it is (default: every vendor)'] as const
  const set = zones
    .command('set')
    .description('Set the time zone of a location')
    .argument('<location-code>', 'location at which goods are received, or from which they are shipped')
    .argument('<time-zone>', 'name in the IANA time zone database')
    .option(...vendor)
  withExamples(withRemoteOptions(set), 'lotkeeper time-zones set DC-07 America/New_York')
  runs(set, async (code, zone, options) => (await import('./records/time-zones.ts')).setTimeZone(code, zone, options))

  const remove = zones
    .command('remove')
    .description('Remove the time zone of a location')
    .argument('<location-code>', 'location at which goods are received, or from which they are shipped')
    .option(...vendor)
  withExamples(withRemoteOptions(remove), 'lotkeeper time-zones remove DC-07')
  runs(remove, async (code, options) => (await import('./records/time-zones.ts')).setTimeZone(code, undefined, options))

  const load = zones
    .command('import')
    .description('Set the time zones in a CSV file')
    .argument('<file>', 'columns locationCode, timeZone, dataProviderVendorId')
  withExamples(withRemoteOptions(load), 'lotkeeper time-zones import zones.csv')
  runs(load, async (file, options) => (await import('./records/time-zones.ts')).setTimeZonesOf(file, options))
}

function addOperating(program: Command): void {
  const operating = (name: string, description: string) =>
    program.command(name).description(description).helpGroup('The service:')

  const migrate = operating('migrate', 'Bring the schema of the database up to date')
    .option('--check', 'only report what is missing; exit code 1 when something is')
    .option(...json)
  withExamples(migrate, 'lotkeeper migrate --check')
  runs(migrate, async (options) => (await import('../operator/migrate.ts')).migrate(options))

  const distribute = operating('distribute', 'Distribute the tables over the nodes of a Citus cluster').option(...json)
  withExamples(distribute, 'DATABASE_URL=postgres://lotkeeper@coordinator/lotkeeper lotkeeper distribute')
  runs(distribute, async (options) => (await import('../operator/distribute.ts')).distribute(options))

  const backup = operating('backup', 'Save the embedded database as one file, beside a running service').argument(
    '<file>',
    'a new file, - for stdout',
  )
  withExamples(backup, 'lotkeeper backup lotkeeper-2026-03-01.tar.gz')
  runs(backup, async (path) => (await import('../operator/backup.ts')).backup(path))

  const restore = operating('restore', 'Restore a backup of the embedded database into a new folder')
    .argument('<file>', 'a file written by backup, - for stdin')
    .option('--check', 'only report whether the file is complete, and when it was made')
  withExamples(
    restore,
    'lotkeeper restore lotkeeper-2026-03-01.tar.gz --check',
    'DATA_DIR=./restored lotkeeper restore lotkeeper-2026-03-01.tar.gz',
  )
  runs(restore, async (path, options) => (await import('../operator/restore.ts')).restore(path, options))

  const retention = operating('retention', 'Show what is older than the retention time, or purge it')
    .option('--purge', 'purge it permanently (default: only show it)')
    .option('--provider <name>', 'only of this data provider (default: of all)')
    .option('--report <file>', 'write the id of each version to a new file, one line of JSON each')
    .option(...json)
  withExamples(retention, 'lotkeeper retention', 'lotkeeper retention --purge --report purged.ndjson')
  runs(retention, async (options) => (await import('../operator/retention.ts')).retention(options))

  addHolds(program)
  addTimeZones(program)

  const { query: accessQuery } = operations.listAccessLog
  const accessLog = withQueryOptions(
    operating('access-log', 'List exports, purges, and changes of keys and legal holds'),
    accessQuery,
  )
    .option('--all', 'every page, to the end')
    .option(...jsonLines)
  withExamples(withRemoteOptions(accessLog), 'lotkeeper access-log --operation exportFdaPackage')
  runs(accessLog, async (options) =>
    (await import('./keeping/access-log.ts')).accessLog({ ...options, query: queryOf(accessQuery, options) }),
  )

  const doctor = withRemoteOptions(
    operating('doctor', 'Check the configuration, database, every stored hash, disk, port, service and key')
      .option('--provider <name>', 'also say on which node of a Citus cluster this data provider is')
      .option(...jsonLines),
  )
  withExamples(doctor, 'lotkeeper doctor', 'lotkeeper doctor --provider "Green Valley"')
  runs(doctor, async (options, command: Command) =>
    (await import('../operator/doctor.ts')).doctor({
      ...options,
      url: withoutEndSlashes(options.url),
      urlIsGiven: command.getOptionValueSource('url') !== 'default',
    }),
  )

  const demo = withRemoteOptions(
    operating('demo', 'Load the examples into the service when a key is given, else into a new database'),
  )
  withExamples(demo, 'DATA_DIR=./demo-data lotkeeper demo', 'LOTKEEPER_KEY=lk_… lotkeeper demo')
  runs(demo, async (options) => (await import('./exchange/demo.ts')).demo(options))
}
