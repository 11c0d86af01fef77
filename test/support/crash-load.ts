// Writes under load, a log of what was acknowledged, and the comparison with what is there after a crash.
import { expect } from 'vitest'
import { eventPayload, type Payload, paths } from './payloads.ts'
import { type Call, calling } from './service.ts'

const writers = 8

/** What one client knows of its record. */
interface Written {
  id: string | undefined
  /** Bodies of acknowledged versions, the first at 0. */
  acknowledged: Payload[]
  /** The body that was sent and not answered when the server died. */
  unanswered: Payload | undefined
}

/** All that was ever written, over several crashes. */
export class CrashLog {
  readonly #records: Written[] = []
  #mark = 0

  get acknowledgedCount(): number {
    return this.#records.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  }

  /** Creates and replaces from several clients until the server stops answering. `crash` is called once `writes` are acknowledged. */
  loadUntilCrash(address: string, key: string, writes: number, crash: () => void): Promise<void> {
    return this.#load(address, key, writes, crash, 0)
  }

  /** The same, but goes on after failures until so many writes again are acknowledged: something goes on answering. */
  loadAcrossCrash(address: string, key: string, writes: number, crash: () => void): Promise<void> {
    return this.#load(address, key, writes, crash, writes)
  }

  async #load(address: string, key: string, writes: number, crash: () => void, writesAfter: number): Promise<void> {
    const call = calling(address, key)
    const target = this.acknowledgedCount + writes
    let crashed = false
    const enough = () => writesAfter > 0 && this.acknowledgedCount >= target + writesAfter
    const client = async () => {
      while (!enough()) {
        const record: Written = { id: undefined, acknowledged: [], unanswered: undefined }
        this.#records.push(record)
        for (let i = 0; i < 4; i++) {
          if (!(await this.#write(call, record))) {
            if (writesAfter === 0) return
            break
          }
          if (!crashed && this.acknowledgedCount >= target) {
            crashed = true
            crash()
          }
        }
      }
    }
    await Promise.all(Array.from({ length: writers }, client))
  }

  async #write(call: Call, record: Written): Promise<boolean> {
    const mark = `LOT-${++this.#mark}`
    record.unanswered = eventPayload((payload) => {
      payload.eventList.productList[0].caseLotNumber = mark
    })
    try {
      const { id } = record
      const reply =
        id === undefined
          ? await call('POST', paths.receivingEvent, { body: record.unanswered })
          : await call('PUT', `${paths.receivingEvent}/${id}`, { body: record.unanswered })
      if (reply.status === 503) return false
      expect([200, 201], reply.text).toContain(reply.status)
      record.id = reply.body.request_ids[0]
      record.acknowledged.push(record.unanswered)
      record.unanswered = undefined
      return true
    } catch (error) {
      // fetch failed: the server is gone.
      if (error instanceof TypeError) return false
      throw error
    }
  }

  /** Every acknowledged version is there, whole and in order; what was not answered is there whole or not at all. */
  async compare(address: string, key: string): Promise<void> {
    const call = calling(address, key)
    const all = await everyRecord(call)
    let stored = 0
    for (const record of this.#records) {
      const { acknowledged, unanswered } = record
      if (record.id === undefined && unanswered !== undefined) {
        // A create that was not answered: found by its lot code or not there.
        record.id = all.find(({ eventList }) => lotOf(eventList) === lotOf(unanswered.eventList))?.id
        if (record.id === undefined) {
          record.unanswered = undefined
          continue
        }
      }
      if (record.id === undefined) continue
      stored++
      const at = `${paths.receivingEvent}/${record.id}`
      const versions = (await call('GET', `${at}/versions`)).body.content.map(({ version }: Payload) => version)
      const expected = [...acknowledged]
      if (unanswered !== undefined && versions.length === acknowledged.length + 1) expected.push(unanswered)
      expect(versions).toEqual(Array.from({ length: expected.length }, (_, i) => expected.length - i))
      for (const [i, body] of expected.entries())
        expect((await call('GET', `${at}/versions/${i + 1}`)).body).toEqual({ id: record.id, ...body })
      const last = expected.at(-1)
      const found = (await call('GET', `${paths.receivingEvent}?lotCode=${lotOf(last.eventList)}`)).body.content
      expect(found).toEqual([{ id: record.id, ...last }])
      record.acknowledged = expected
      record.unanswered = undefined
    }
    expect(all).toHaveLength(stored)
    // Checked once; the next crash is about what is written after it.
    this.#records.splice(0, this.#records.length, ...this.#records.filter(({ id }) => id !== undefined))
  }
}

const lotOf = (event: Payload): string => event.productList[0].caseLotNumber

async function everyRecord(call: Call): Promise<Payload[]> {
  const records: Payload[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Payload = (await call('GET', `${paths.receivingEvent}?limit=200${cursor && `&cursor=${cursor}`}`)).body
    records.push(...page.content)
    cursor = page.nextCursor
  }
  return records
}
