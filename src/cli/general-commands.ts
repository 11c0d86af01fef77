// The commands of no feature: they run the service, look after its database, or call any operation.
import { Argument, type Command, Option } from 'commander'
import { ownRoles } from '../contract/role.ts'
import type { CommandDeclaration } from './base/command.ts'
import { shells } from './base/completion.ts'
import { json, jsonLines, output, repeatedOption, sampleId, urlDefault } from './base/options.ts'
import { profileDefault } from './base/profiles.ts'

const keyCommands: readonly CommandDeclaration[] = [
  {
    words: 'keys',
    description: 'Create, list and revoke keys, also beside a running server',
    examples: ['lotkeeper keys list'],
  },
  {
    words: 'keys create',
    description: 'Create a key and print it, once',
    options: [
      ['--provider <name>', 'data provider of the key; created when there is none of this name', 'default'],
      new Option('--role <role>', 'what the key is allowed to do').choices(ownRoles).default('writer'),
      ['--label <text>', 'what the key is for', ''],
      ['--person <name>', 'the person who has the key, as histories show it'],
      ['--expires <date>', 'last day of the key, yyyy-MM-dd in UTC (default: never)'],
    ],
    examples: ['lotkeeper keys create --provider "Green Valley" --person "Ana Lopez"'],
    run: async () => (await import('../operator/keys.ts')).createKey,
  },
  {
    words: 'keys list',
    description: 'List the keys of all providers',
    options: [['--json', 'as JSON']],
    examples: ['lotkeeper keys list --json'],
    run: async () => (await import('../operator/keys.ts')).listKeys,
  },
  {
    words: 'keys revoke',
    description: 'Revoke a key; servers reject it within two seconds',
    arguments: [['<key id>', 'as `keys list` shows it; the whole key is accepted too']],
    examples: ['lotkeeper keys revoke 1f0c6c2b9a7d4e11'],
    run: async () => (await import('../operator/keys.ts')).revokeKey,
  },
]

const databaseCommands: readonly CommandDeclaration[] = [
  {
    words: 'migrate',
    description: 'Bring the schema of the database up to date',
    options: [['--check', 'only report what is missing; exit code 1 when something is'], json],
    examples: ['lotkeeper migrate --check'],
    run: async () => (await import('../operator/migrate.ts')).migrate,
  },
  {
    words: 'distribute',
    description: 'Distribute the tables over the nodes of a Citus cluster',
    options: [json],
    examples: ['DATABASE_URL=postgres://lotkeeper@coordinator/lotkeeper lotkeeper distribute'],
    run: async () => (await import('../operator/distribute.ts')).distribute,
  },
  {
    words: 'backup',
    description: 'Save the embedded database as one file, beside a running service',
    arguments: [['<file>', 'a new file, - for stdout']],
    examples: ['lotkeeper backup lotkeeper-2026-03-01.tar.gz'],
    run: async () => (await import('../operator/backup.ts')).backup,
  },
  {
    words: 'restore',
    description: 'Restore a backup of the embedded database into a new folder',
    arguments: [['<file>', 'a file written by backup, - for stdin']],
    options: [['--check', 'only report whether the file is complete, and when it was made']],
    examples: [
      'lotkeeper restore lotkeeper-2026-03-01.tar.gz --check',
      'DATA_DIR=./restored lotkeeper restore lotkeeper-2026-03-01.tar.gz',
    ],
    run: async () => (await import('../operator/restore.ts')).restore,
  },
  {
    words: 'retention',
    description: 'Show what is older than the retention time, or purge it',
    options: [
      ['--purge', 'purge it permanently (default: only show it)'],
      ['--provider <name>', 'only of this data provider (default: of all)'],
      ['--report <file>', 'write the id of each version to a new file, one line of JSON each'],
      json,
    ],
    examples: ['lotkeeper retention', 'lotkeeper retention --purge --report purged.ndjson'],
    run: async () => (await import('../operator/retention.ts')).retention,
  },
]

const doctor: CommandDeclaration = {
  words: 'doctor',
  description: 'Check the configuration, database, every stored hash, disk, port, service and key',
  options: [['--provider <name>', 'also say on which node of a Citus cluster this data provider is'], jsonLines],
  examples: ['lotkeeper doctor', 'lotkeeper doctor --provider "Green Valley"'],
  call: async () => {
    const [{ doctor }, { withoutEndSlashes }] = await Promise.all([
      import('../operator/doctor.ts'),
      import('./base/remote.ts'),
    ])
    return (options, command: Command) =>
      doctor({
        ...options,
        url: withoutEndSlashes(options.url),
        urlIsGiven: command.getOptionValueSource('url') !== 'default',
      })
  },
}

const api: CommandDeclaration = {
  words: 'api',
  description: 'Call any operation of the API by its name, and print the answer as JSON, or its file',
  arguments: [
    [
      '[operation...]',
      'its name, and --name value for each parameter in its path, query and headers (default: list all operations)',
    ],
  ],
  options: [
    ['--body <file>', 'body as JSON, or a file that the operation takes as it is; - for stdin'],
    repeatedOption('--field <name=value>', 'field of the body, such as grants.0.direction=shipTo; may be repeated'),
    output,
  ],
  takesUnknownOptions: true,
  examples: [
    'lotkeeper api listAlerts --open --limit 5',
    `lotkeeper api readLocationFindings --id ${sampleId}`,
    'lotkeeper api createKey --field role=reader --field label=ERP',
    'lotkeeper api importShipNotices --body notices.edi --dry-run',
  ],
  call: async () => (await import('./api.ts')).callApi,
}

const mcp: CommandDeclaration = {
  words: 'mcp',
  description: 'Let an assistant (MCP) on this machine read what the key may read',
  examples: ['lotkeeper mcp --profile default'],
  call: async () => (await import('./mcp.ts')).serveAssistant,
}

const profileOption = new Option('--profile <name>', 'name of the profile')
  .env('LOTKEEPER_PROFILE')
  .default(profileDefault)

const promptCommands: readonly CommandDeclaration[] = [
  {
    words: 'login',
    description: 'Store the key of a service for later commands, in a file that only you can read',
    options: [
      new Option('--url <address>', 'address of the service').env('LOTKEEPER_URL').default(urlDefault),
      profileOption,
    ],
    examples: ['lotkeeper login --url https://trace.example.com', 'lotkeeper login --profile test < key.txt'],
    run: async () => (await import('./base/login.ts')).logIn,
  },
  {
    words: 'logout',
    description: 'Remove a stored key from this machine',
    options: [profileOption],
    examples: ['lotkeeper logout --profile test'],
    run: async () => (await import('./base/login.ts')).logOut,
  },
  {
    words: 'profiles',
    description: 'List the services whose keys are stored',
    options: [json],
    examples: ['lotkeeper profiles'],
    run: async () => (await import('./base/login.ts')).listProfiles,
  },
  {
    words: 'completion',
    description: 'Print the script that completes commands and options in a shell',
    arguments: [
      new Argument('<shell>').choices(shells),
      ['[words...]', 'what is typed so far, after --: prints how it continues, as the script asks'],
    ],
    examples: ['eval "$(lotkeeper completion bash)"', 'lotkeeper completion fish | source'],
    run: async () => (await import('./base/completion.ts')).printCompletion,
  },
]

export const generalCommands: readonly CommandDeclaration[] = [
  {
    words: 'serve',
    description: 'Start the service',
    examples: ['DATABASE_URL=postgres://lotkeeper@localhost/lotkeeper lotkeeper serve'],
    run: async () => (await import('../operator/serve.ts')).serve,
  },
  ...keyCommands,
  ...databaseCommands,
  doctor,
  api,
  mcp,
  ...promptCommands,
]
