// npm run bench:ship-notices: how long 50 MB of ship notices take to read, and how much memory.
import { readFileSync } from 'node:fs'
import { NoticeReader } from '../src/x12/read-notices.ts'
import { readShipNotice } from '../src/x12/ship-notice.ts'
import { markdownTable } from './table.ts'

const bytes = 50_000_000
const pieceLength = 65_536
const secondsMax = 30
const memoryMbMax = 300

const example = readFileSync(new URL('../examples/asn.edi', import.meta.url), 'utf8')
const [set = ''] = /ST\*[\s\S]*?SE\*[^~]*~\n/.exec(example) ?? []
const perInterchange = 1_000

/** An interchange of so many notices. */
function interchange(): string {
  const [before = '', after = ''] = example.split(set)
  return before + set.repeat(perInterchange) + after.replace('GE*1*', `GE*${perInterchange}*`)
}

/** The file, piece by piece, as it is read from a disk. */
function* pieces(): Generator<string> {
  const text = interchange()
  for (let sent = 0; sent < bytes; sent += text.length)
    for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength)
}

const reader = new NoticeReader()
let [read, notices, lines, findings] = [0, 0, 0, 0]
const take = (piece: string, isLast: boolean) => {
  read += piece.length
  for (const found of reader.read(piece, isLast)) {
    findings += found.findings?.length ?? 0
    if (found.set === undefined) continue
    const notice = readShipNotice(found.set)
    notices++
    findings += notice.findings.length
    for (const shipment of notice.shipments) lines += shipment.lines.length
  }
}
const begun = performance.now()
for (const piece of pieces()) take(piece, false)
take('', true)
const seconds = (performance.now() - begun) / 1_000
const memoryMb = process.resourceUsage().maxRSS / 1_000

process.stdout.write(
  markdownTable(
    ['file', 'notices', 'lines', 'findings', 'time', 'memory at most', 'verdict'],
    [
      [
        `${Math.round(read / 1_000_000)} MB`,
        notices.toLocaleString('en'),
        lines.toLocaleString('en'),
        String(findings),
        `${seconds.toFixed(1)} s (≤ ${secondsMax} s)`,
        `${Math.round(memoryMb)} MB (≤ ${memoryMbMax} MB)`,
        seconds <= secondsMax && memoryMb <= memoryMbMax && findings === 0 ? 'met' : 'missed',
      ],
    ],
  ),
)
