// npm run bench:archive -- [versions] [folder]: makes an archive of so many versions, checks it,
// and says what that took.
import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { canonicalJson } from '../src/contract/json/canonical.ts'
import { archiveFormat, archiveLine, versionLine } from '../src/evidence/archive.ts'
import { checkpointText, detailText, rootEntry, rootHead, versionText } from '../src/evidence/evidence.ts'
import { signerOf } from '../src/signing-key.ts'
import { checkpointVersionsMax } from '../src/store/evidence/checkpoints.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const provider = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'
/** Every so manieth record has a second version. */
const replacedEvery = 4

/** An archive with hashes, roots and signatures as the service makes them. */
function* archive(versions: number): Generator<string> {
  const signer = signerOf(generateKeyPairSync('ed25519').privateKey)
  const { signingKeyId, publicKey } = signer
  const checkpoints = Math.ceil(versions / checkpointVersionsMax)
  const event = JSON.parse(readFileSync(new URL('../examples/receiving-event.json', import.meta.url), 'utf8'))
  yield archiveLine({
    is: 'archive',
    format: archiveFormat,
    provider: { id: provider, name: 'bench' },
    madeDateTime: new Date().toISOString(),
    keys: 1,
    versions,
    checkpoints,
  })
  yield archiveLine({ is: 'key', signingKeyId, publicKey: publicKey.toString('base64') })
  let [previous, before, records]: [string | null, string | null, number] = [null, null, 0]
  let root = createHash('sha256').update(rootHead)
  let under = 0
  for (let n = 0, checkpoint = 1; n < versions; n++) {
    const second = n % (replacedEvery + 1) === replacedEvery
    if (!second) records++
    const id = `019a3c1e-7d2b-7c4a-9f10-${records.toString(16).padStart(12, '0')}`
    event.eventList.purchaseOrderNumber = `PO-${n}`
    const body = JSON.stringify(event)
    const detail = { payloadId: `p-${n}`, findings: '[]', body }
    const identity = {
      kind: 'receivingEvent' as const,
      id,
      version: second ? 2 : 1,
      submittedDateTime: '2026-03-04T14:00:00.000000Z',
      keyId: '0000000000000000',
      contentHash: sha256(canonicalJson(event)),
      detailHash: sha256(detailText(detail)),
      previousHash: second ? previous : null,
    }
    const versionHash = sha256(versionText(identity))
    previous = versionHash
    root.update(`\n${rootEntry({ ...identity, versionHash })}`)
    yield versionLine({ ...identity, versionHash, detail, current: undefined })
    if (++under < checkpointVersionsMax && n + 1 < versions) continue
    const unsigned = {
      number: checkpoint++,
      signedFor: provider,
      madeDateTime: '2026-03-04T14:00:01.000000Z',
      versionCount: under,
      root: root.digest('hex'),
      previousHash: before,
      signingKeyId,
    }
    const text = checkpointText(unsigned)
    before = sha256(text)
    yield archiveLine({ is: 'checkpoint', ...unsigned, checkpointHash: before, signature: signer.sign(text) })
    root = createHash('sha256').update(rootHead)
    under = 0
  }
  yield archiveLine({ is: 'end', records, versions, checkpoints })
}

const [count = '1000000', folder] = process.argv.slice(2)
const place = folder ?? mkdtempSync(join(tmpdir(), 'lotkeeper-archive-'))
const path = join(place, 'archive.ndjson')
await pipeline(archive(Number(count)), createWriteStream(path))
console.log(`${count} versions, ${Math.round(statSync(path).size / 2 ** 20)} MiB`)
/**
 * In a process of its own, from what was built, so that what making the archive took is not
 * counted.
 */
const built = (file: string): string => JSON.stringify(new URL(`../dist/cli/${file}.js`, import.meta.url).href)
const check = `
const { ArchiveCheck } = await import(${built('archive-check')})
const { openFile } = await import(${built('open-file')})
const check = new ArchiveCheck([])
const began = performance.now()
await check.run(openFile(${JSON.stringify(path)}), () => undefined)
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const said = [
  \`\${check.versions} versions of \${check.records} records checked, \${check.faultCount} faults\`,
  \`\${((performance.now() - began) / 1000).toFixed(1)} s, of which \${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)} s of processor time\`,
  \`at most \${Math.round(maxRSS / 1024)} MiB of memory\`,
]
console.log(said.join('; '))`
spawnSync(process.execPath, ['--input-type=module', '-e', check], { stdio: 'inherit' })
if (folder === undefined) rmSync(place, { recursive: true })
