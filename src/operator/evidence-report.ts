// The report of `lotkeeper doctor` on the evidence: each fault with its place and its remedy.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { openSigningKey, signingKeyName } from '../signing-key.ts'
import { nodeLost } from '../store/database/database-errors.ts'
import { allProviders } from '../store/database/providers.ts'
import { Progress } from '../terminal/progress.ts'
import { type Check, ok, problem, quote, warning } from './check.ts'
import { checkEvidence, type EvidenceFault } from './evidence-check.ts'
import { faultOf, type LocalDatabase } from './local-database.ts'

/** Most faults of one provider that are printed; all are counted. */
const faultsPrintedMax = 200

/**
 * Every stored hash, chain and checkpoint of every provider, in place. It reads everything: some
 * thousands of versions a second.
 */
export async function evidenceChecks(config: Config, { db, schema }: LocalDatabase): Promise<Check[]> {
  const about = 'evidence'
  if (faultOf(schema) !== undefined || schema.missing.length > 0) return []
  const keyPath = config.signingKeyFile ?? join(config.dataDir, signingKeyName)
  const signer = existsSync(keyPath) ? openSigningKey(config) : undefined
  const ownKeyId = signer === undefined || 'problem' in signer ? undefined : signer.signingKeyId
  const { searchComparison } = await import('../wiring.ts')
  const compareSearch = searchComparison(db, config)
  const checks: Check[] = []
  for (const { provider, name, isAway } of await allProviders(db)) {
    const progress = new Progress()
    let faults = 0
    const checked = isAway
      ? 'nodeAway'
      : await checkEvidence(
          db,
          provider,
          { ownKeyId, compareSearch },
          {
            fault: async (fault) => {
              if (++faults <= faultsPrintedMax)
                checks.push(problem(about, `${quote(name)}, ${placeOf(fault)}: ${fault.what}`, fault.remedy))
            },
            progress: (done, of) =>
              progress.show(of === 0 ? 1 : done / of, {
                done,
                of,
                unit: 'versions',
                more: ` of ${quote(name)} · checking`,
              }),
          },
        ).catch((error: unknown) => {
          if (!nodeLost(error)) throw error
          return 'nodeAway' as const
        })
    progress.clear()
    if (checked === 'nodeAway') {
      checks.push(
        warning(about, `${quote(name)}: not checked: its node does not answer.`, 'Run doctor again when it does.'),
      )
      continue
    }
    if (faults > faultsPrintedMax)
      checks.push(problem(about, `${quote(name)}: ${faults - faultsPrintedMax} more are not listed.`, damageRemedy))
    if (checked === undefined) checks.push(ok(about, `${quote(name)}: not checked while an archive is being imported`))
    else if (faults === 0)
      checks.push(
        ok(
          about,
          `${quote(name)}: ${pluralize(checked.versions, 'version')} and ${pluralize(checked.checkpoints, 'checkpoint')}, every hash and search value fits`,
        ),
      )
    if (checked?.foreignKeyId !== undefined)
      checks.push(
        warning(
          about,
          `${quote(name)}: the last checkpoint is signed with key ${checked.foreignKeyId}, and the key of this service is ${ownKeyId}.`,
          'Right after the key was changed. Otherwise compare its hash with one that was written down: somebody may have signed it again.',
        ),
      )
  }
  return checks
}

function placeOf({ record, version, checkpoint }: EvidenceFault): string {
  if (record !== undefined) return `${version === undefined ? '' : `version ${version} of `}record ${record}`
  return checkpoint === undefined ? 'signing keys' : `checkpoint ${checkpoint}`
}

const damageRemedy = 'Restore a backup: see Damage in docs/operating.md.'
