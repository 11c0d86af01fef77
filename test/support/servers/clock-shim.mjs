// Loaded before the program (`node --import`): its clock is that of the machine and as many
// milliseconds as the file CLOCK_SHIM says.
import { readFileSync } from 'node:fs'

const RealDate = Date
let offset = 0
let lookedAt = Number.NEGATIVE_INFINITY

function now() {
  if (performance.now() - lookedAt > 20) {
    offset = Number(readFileSync(process.env.CLOCK_SHIM, 'utf8') || 0)
    lookedAt = performance.now()
  }
  return RealDate.now() + offset
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static now() {
    return now()
  }
}
