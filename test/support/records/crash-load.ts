// Mixed load, a log of what was acknowledged, and the comparison with what is stored after a crash.
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type Kind, type Place, readStoredRows, type StoredRows } from '../databases/stored-rows.ts'
import { type Call, calling, type Reply } from '../servers/service.ts'
import { changed, type Payload, paths, payloadOf } from './payloads.ts'

const clients = 8

/**
 * What one client knows of its record: no other client writes to it, so what it was told is all
 * that may be.
 */
interface Known {
  readonly kind: Kind
  readonly idempotencyKey: string | undefined
  /** Stands in each body of the record, and in no other. */
  readonly mark: string
  id: string | undefined
  /** Bodies of acknowledged versions, the first at 0. */
  readonly acknowledged: Payload[]
  /** The body that was sent and whose answer did not come, or was 503. */
  unanswered: Payload | undefined
}

/** What is done at one step of the load; the weights are how often each stands here. */
const steps = [
  'replace',
  'replace',
  'replaceIfMatch',
  'replaceIfMatch',
  'replaceStale',
  'replaceUnchanged',
  'read',
] as const

/** All that was ever written, over several crashes. */
export class CrashLog {
  readonly #records: Known[] = []
  readonly #random: () => number
  #marks = 0
  #refused = 0
  #reads = 0
  #retries = 0

  /** The same seed makes the same choices; what they meet is up to the machine. */
  constructor(seed = 1) {
    this.#random = randomFrom(seed)
  }

  get acknowledgedCount(): number {
    return this.#records.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  }

  /** What else was held against the log on the way. */
  get counts(): { readonly stale: number; readonly reads: number; readonly retries: number } {
    return { stale: this.#refused, reads: this.#reads, retries: this.#retries }
  }

  /** Records of a kind that are known to be stored. */
  storedCount(kind: Kind): number {
    return this.#records.filter((record) => record.kind === kind && record.id !== undefined).length
  }

  /** A number from 0 up to and without `below`. */
  random(below: number): number {
    return Math.floor(this.#random() * below)
  }

  /**
   * Creates, replaces and reads from several clients until the server stops answering. `crash` is
   * called once `writes` more are acknowledged, and up to some milliseconds later, so that it finds
   * writes at every stage.
   */
  loadUntilCrash(address: string, key: string, writes: number, crash: () => void): Promise<void> {
    return this.#load([address], key, writes, crash, 0)
  }

  /**
   * The same, but goes on after failures until so many writes again are acknowledged: something
   * goes on answering.
   */
  loadAcrossCrash(addresses: readonly string[], key: string, writes: number, crash: () => void): Promise<void> {
    return this.#load(addresses, key, writes, crash, writes)
  }

  async #load(
    addresses: readonly string[],
    key: string,
    writes: number,
    crash: () => void,
    writesAfter: number,
  ): Promise<void> {
    const calls = addresses.map((address) => calling(address, key))
    const target = this.acknowledgedCount + writes
    let crashed = false
    const enough = () => writesAfter > 0 && this.acknowledgedCount >= target + writesAfter
    const client = async (n: number) => {
      // Each call to another server, where there are several.
      let turn = n
      const call: Call = (...asked) => (calls[turn++ % calls.length] as Call)(...asked)
      while (!enough()) {
        const record = this.#newRecord()
        for (let i = 0; i < 5; i++) {
          if (!(await this.#step(call, record, i))) {
            if (writesAfter === 0) return
            break
          }
          if (!crashed && this.acknowledgedCount >= target) {
            crashed = true
            setTimeout(crash, this.random(40))
          }
        }
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
  }

  #newRecord(): Known {
    const kind =
      (['receivingEvent', 'receivingEvent', 'masterProduct', 'location'] as const)[this.random(4)] ?? 'location'
    const mark = `MARK-${++this.#marks}`
    const idempotencyKey = this.random(2) === 0 ? `crash-${mark}` : undefined
    const record = { kind, mark, idempotencyKey, id: undefined, acknowledged: [], unanswered: undefined }
    this.#records.push(record)
    return record
  }

  /**
   * False when the outcome is not known, and the record is to be left alone until it is looked at.
   */
  async #step(call: Call, record: Known, i: number): Promise<boolean> {
    try {
      if (i === 0) return await this.#create(call, record, marked(record))
      const step = steps[this.random(steps.length)] ?? 'read'
      const at = `${paths[record.kind]}/${record.id}`
      const last: Payload = record.acknowledged.at(-1)
      if (step === 'read') {
        const reply = await call('GET', at)
        if (reply.status === 503) return false
        this.#reads++
        expect([reply.status, reply.headers.get('etag')]).toEqual([200, `"${record.acknowledged.length}"`])
        expect(reply.body).toEqual({ id: record.id, ...last })
        return true
      }
      if (step === 'replaceUnchanged') {
        const reply = await call('PUT', at, { body: last })
        if (reply.status === 503) return false
        expect([reply.status, reply.headers.get('etag')]).toEqual([200, `"${record.acknowledged.length}"`])
        return true
      }
      const body = edited(record, last)
      if (step === 'replaceStale') {
        const reply = await call('PUT', at, { body, headers: { 'if-match': `"${record.acknowledged.length + 1}"` } })
        if (reply.status === 503) return false
        expect(reply.status).toBe(412)
        this.#refused++
        return true
      }
      record.unanswered = body
      const headers = step === 'replaceIfMatch' ? { 'if-match': `"${record.acknowledged.length}"` } : {}
      return this.#acknowledge(record, await call('PUT', at, { body, headers }), 200)
    } catch (error) {
      // fetch failed: the server is gone.
      if (error instanceof TypeError) return false
      throw error
    }
  }

  async #create(call: Call, record: Known, body: Payload): Promise<boolean> {
    record.unanswered = body
    const { idempotencyKey } = record
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
    return this.#acknowledge(record, await call('POST', paths[record.kind], { body, headers }), 201)
  }

  #acknowledge(record: Known, reply: Reply, status: number): boolean {
    if (reply.status === 503) return false
    expect(reply.status, reply.text).toBe(status)
    const [id] = reply.body.request_ids
    expect([undefined, id]).toContain(record.id)
    record.id = id
    record.acknowledged.push(record.unanswered)
    record.unanswered = undefined
    const { length } = record.acknowledged
    expect(reply.headers.get('etag') ?? `"${length}"`, 'the version that was written').toBe(`"${length}"`)
    return true
  }

  /**
   * Every acknowledged version is there, whole and in order; what was not answered is there whole
   * or not at all; nothing else is.
   */
  async compare(place: Place, which: 'touched' | 'all' = 'touched'): Promise<void> {
    const open = this.#records.filter(({ id, unanswered }) => id === undefined || unanswered !== undefined)
    const ours = new Set(this.#records.flatMap(({ id }) => id ?? []))
    const found = await readStoredRows(place, new Set())
    const unknown = Object.values(found.current).flatMap((ids) => [...ids.keys()].filter((id) => !ours.has(id)))
    const wanted =
      which === 'all' ? 'all' : new Set([...open.flatMap(({ id }) => id ?? []), ...unknown, ...this.#touched])
    const stored = await readStoredRows(place, wanted)
    expect(stored.defects).toEqual([])
    for (const record of open) settleKnown(record, stored, unknown)
    for (const record of this.#records) {
      if (record.id === undefined) continue
      expect(stored.current[record.kind].get(record.id), `versions of ${record.mark}`).toBe(record.acknowledged.length)
      const versions = stored.versions.get(record.id)
      if (versions === undefined) continue
      expect(versions.map(({ body }) => body)).toEqual(record.acknowledged)
    }
    // What was not answered and did not take place is no record any more, but one with a key is
    // sent again.
    const isThere = ({ id, idempotencyKey, acknowledged }: Known) =>
      id !== undefined || (idempotencyKey !== undefined && acknowledged.length === 0)
    this.#records.splice(0, this.#records.length, ...this.#records.filter(isThere))
    for (const kind of ['receivingEvent', 'masterProduct'] as const)
      expect(stored.current[kind].size, `records of kind ${kind}`).toBe(
        this.#records.filter((record) => record.kind === kind && record.id !== undefined).length,
      )
    this.#checked = this.#records.length
  }

  #checked = 0
  /**
   * Records made since the last comparison; older ones are compared by their version numbers and
   * once more at the end.
   */
  get #touched(): readonly string[] {
    return this.#records.slice(this.#checked).flatMap(({ id }) => id ?? [])
  }

  /**
   * Sends every create again whose key may or may not be known: each makes its record, or finds it
   * made.
   */
  async retryCreates(address: string, key: string): Promise<void> {
    const call = calling(address, key)
    for (const record of this.#records) {
      if (record.idempotencyKey === undefined || record.id !== undefined) continue
      this.#retries++
      expect(await this.#create(call, record, record.unanswered ?? marked(record))).toBe(true)
    }
    // Those that are stored under a key are found by it: one of them stands for all.
    const stored = this.#records.find(({ id, idempotencyKey }) => id !== undefined && idempotencyKey !== undefined)
    if (stored === undefined) return
    this.#retries++
    const [body] = stored.acknowledged
    const headers = { 'idempotency-key': stored.idempotencyKey ?? '' }
    const reply = await call('POST', paths[stored.kind], { body, headers })
    expect([reply.status, reply.body.request_ids]).toEqual([201, [stored.id]])
  }
}

/** Makes known what was not: a create is looked for by its mark, a replacement by its number. */
function settleKnown(record: Known, stored: StoredRows, unknown: readonly string[]): void {
  const { unanswered } = record
  if (unanswered === undefined) return
  if (record.id === undefined) {
    const id = unknown.find((one) => isDeepStrictEqual(stored.versions.get(one)?.[0]?.body, unanswered))
    if (id === undefined) return
    record.id = id
  }
  const versions = stored.versions.get(record.id) ?? []
  if (versions.length > record.acknowledged.length) record.acknowledged.push(unanswered)
  record.unanswered = undefined
}

/** A first body with the mark of the record. */
const marked = ({ kind, mark }: Known): Payload =>
  payloadOf[kind]((payload) => {
    if (kind === 'receivingEvent') payload.eventList.productList[0].caseLotNumber = mark
    if (kind === 'masterProduct') payload.productMasterDataList.itemCode = mark
    if (kind === 'location') payload.locationMasterList.locationCode = mark
  })

/** Another body: of an event sometimes with other codes, so that its search rows change too. */
function edited({ kind, mark, acknowledged }: Known, last: Payload): Payload {
  const body = structuredClone(last)
  changed[kind](body)
  if (kind === 'receivingEvent' && acknowledged.length % 2 === 0)
    body.eventList.productList[0].caseLotNumber = `${mark}-${acknowledged.length}`
  return body
}

/** Numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
