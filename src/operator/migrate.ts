// `lotkeeper migrate`: brings the schema of the database up to date, or lists the missing
// migrations. `serve` does the same when it starts.
import { readConfig } from '../config.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { results } from '../terminal/terminal.ts'
import { faultOf, withLocalDatabase } from './local-database.ts'

export async function migrate({
  check,
  json,
}: {
  readonly check?: boolean
  readonly json?: boolean
}): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  const looked = await withLocalDatabase(config, async (database) => {
    const fault = faultOf(database.schema)
    const { missing } = database.schema
    const applied = check || fault !== undefined ? [] : missing
    if (applied.length > 0) await database.migrate()
    return { ...database, fault, applied }
  })
  if ('problem' in looked) return looked
  const { name, schema, fault, applied } = looked
  const from = schema.applied.at(-1) ?? null
  const to = applied.at(-1) ?? from
  if (json)
    await results.write(
      `${JSON.stringify({ database: name, from, to, applied, missing: check ? schema.missing : [] })}\n`,
    )
  if (fault !== undefined) return { problem: fault }
  if (check && schema.missing.length > 0)
    return {
      problem: `The ${name} is at ${from ?? 'no schema'}; it lacks ${schema.missing.join(', ')}. Run lotkeeper migrate.`,
    }
  if (!json)
    await results.write(
      applied.length > 0
        ? `The ${name} went from ${from ?? 'no schema'} to ${to}.\n`
        : `The ${name} is up to date, at ${to}.\n`,
    )
  return undefined
}
