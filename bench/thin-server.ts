// The thin server: what a good engineer writes in one file with Fastify and pg to replace an event
// and keep its versions. One sender, a minimal shape; no rules, keys, search or evidence.
import Fastify from 'fastify'
import pg from 'pg'

const [databaseUrl, commit] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 })

await pool.query(
  `CREATE TABLE event (id uuid PRIMARY KEY, version integer NOT NULL);
   CREATE TABLE event_version (
     id uuid, version integer, at timestamptz NOT NULL DEFAULT now(), body text NOT NULL, PRIMARY KEY (id, version)
   )`,
)

const replaceStatement = {
  name: 'replace',
  text: `WITH sent AS (
           SELECT id, body FROM unnest($1::uuid[], $2::text[]) AS sent (id, body)
         ), replaced AS (
           INSERT INTO event AS e (id, version) SELECT id, 1 FROM sent
           ON CONFLICT (id) DO UPDATE SET version = e.version + 1
           RETURNING id, version
         )
         INSERT INTO event_version (id, version, body)
         SELECT id, version, body FROM replaced JOIN sent USING (id)
         RETURNING id, version`,
}

/** Stores these bodies of different events in one transaction. Returns their versions. */
async function store(events: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, number>> {
  const values = [[...events.keys()], [...events.values()]]
  const { rows } = await pool.query<{ id: string; version: number }>({ ...replaceStatement, values })
  return new Map(rows.map(({ id, version }) => [id, version]))
}

const replaceAlone = async (id: string, body: string) => (await store(new Map([[id, body]]))).get(id)

type Versions = ReadonlyMap<string, number>
let waiting: { id: string; body: string; settle: (versions: Versions | Promise<Versions>) => void }[] = []
let isWriting = false

async function replaceInGroup(id: string, body: string): Promise<number | undefined> {
  const stored = new Promise<Versions>((settle) => waiting.push({ id, body, settle }))
  if (!isWriting) {
    isWriting = true
    setImmediate(writeWaiting)
  }
  return (await stored).get(id)
}

/** Group commit: writes all waiting events together, until none waits. */
async function writeWaiting(): Promise<void> {
  while (waiting.length > 0) {
    const events = new Map<string, string>()
    const [group, later]: [typeof waiting, typeof waiting] = [[], []]
    for (const one of waiting) {
      if (events.has(one.id)) later.push(one)
      else {
        events.set(one.id, one.body)
        group.push(one)
      }
    }
    waiting = later
    const stored = store(events)
    for (const { settle } of group) settle(stored)
    await stored.catch(() => undefined)
  }
  isWriting = false
}

const text = { type: 'string', minLength: 1 }
const line = {
  type: 'object',
  required: ['caseLotNumber', 'shipQuantity', 'shipQuantityUom', 'vendorItemCode'],
  properties: { caseLotNumber: text, shipQuantity: { type: 'number' }, shipQuantityUom: text, vendorItemCode: text },
}
const eventList = {
  type: 'object',
  required: ['eventDateTime', 'shipFromLocationCode', 'shipToLocationCode', 'productList'],
  properties: {
    eventDateTime: { type: 'string', format: 'date-time' },
    shipFromLocationCode: text,
    shipToLocationCode: text,
    productList: { type: 'array', minItems: 1, items: line },
  },
}
const schema = {
  params: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } },
  body: { type: 'object', required: ['eventList'], properties: { eventList } },
  response: { 200: { type: 'object', properties: { id: { type: 'string' }, version: { type: 'integer' } } } },
}
const replace = commit === 'group' ? replaceInGroup : replaceAlone

const server = Fastify()
server.put<{ Params: { id: string } }>('/data-provider/events/receiving/:id', { schema }, async (request, reply) => {
  const version = await replace(request.params.id, JSON.stringify(request.body))
  reply.header('etag', `"${version}"`)
  return { id: request.params.id, version }
})
await server.listen({ port: 0, host: '127.0.0.1' })
process.send?.(server.server.address())
process.on('disconnect', () => process.exit())
