// Several processes that serve as one (decision 0026): a primary, which opens the port, and
// workers, which answer on it. The primary has the facts that all workers need.
import cluster, { type Worker } from 'node:cluster'

/** The services of the primary for its workers. */
export interface Primary<Answer> {
  /** Answers a worker's `ask`. */
  readonly answer: (question: string) => Answer
  /** Called when a worker exits unexpectedly, with its process id and that of its replacement. */
  readonly onReplaced: (gone: { readonly worker: number; readonly by: string; readonly replacedBy: number }) => void
}

export interface Workers {
  /** Where all of them listen. */
  readonly address: string
  /** Settles only when workers cannot be kept running; those that are left are stopped then. */
  readonly failed: Promise<{ readonly problem: string }>
  /**
   * The current report of each worker, by process id; one that does not answer in time is left out.
   */
  reports(): Promise<ReadonlyMap<number, unknown>>
  /** Ends all workers after their requests. Rejects if one could not finish. */
  stop(): Promise<void>
}

type FromWorker =
  | { readonly is: 'listening'; readonly address: string }
  | { readonly is: 'problem'; readonly problem: string }
  | { readonly is: 'question'; readonly question: string }
  | { readonly is: 'report'; readonly report: unknown }

type FromPrimary =
  | { readonly is: 'stop' }
  | { readonly is: 'answer'; readonly answer: unknown }
  | { readonly is: 'report' }

/** Longest wait for the report of a worker, in milliseconds: less than the timeout of a scrape. */
const reportMsMax = 2_000

/**
 * So many workers that end in this time, in milliseconds, none of them older than that, are a fault
 * of the service.
 */
const earlyEndsMax = 5
const earlyMs = 10_000

/** True in a process that `startWorkers` started. */
export const { isWorker } = cluster

/**
 * glibc keeps freed memory for each thread that ever asked; with two such arenas a worker under
 * full load has 20 MB less, and is as fast.
 */
const memoryOfWorker = { MALLOC_ARENA_MAX: '2' } as const

/** Starts so many processes of this same command, each a worker, and replaces those that end. */
export function startWorkers<Answer>(
  count: number,
  { answer, onReplaced }: Primary<Answer>,
): Promise<Workers | { readonly problem: string }> {
  const workers = new Set<Worker>()
  const listening = new Set<Worker>()
  let earlyEnds: readonly number[] = []
  let stopping = false
  // Workers accept connections themselves. A connection handed over by the primary hangs forever if
  // its worker dies meanwhile.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // However this process ends. After kill -9 workers notice it and end themselves: node:cluster
  // does this.
  process.once('exit', () => {
    for (const worker of workers) worker.process.kill('SIGKILL')
  })

  const stop = async (): Promise<void> => {
    stopping = true
    await Promise.all([...workers].map((worker) => stopWorker(worker, { isListening: listening.has(worker) })))
  }
  const reports = async (): Promise<ReadonlyMap<number, unknown>> => {
    const found = await Promise.all(
      [...listening].map(async (worker) => [worker.process.pid ?? 0, await reportOf(worker)] as const),
    )
    return new Map(found.filter(([, report]) => report !== undefined))
  }

  return new Promise((started) => {
    const failed = new Promise<{ readonly problem: string }>((settle) => {
      const fail = (problem: string): void => {
        if (stopping) return
        stop().catch(() => undefined)
        started({ problem })
        settle({ problem })
      }
      const start = (): Worker => {
        const startedAt = performance.now()
        const worker = cluster.fork(memoryOfWorker)
        workers.add(worker)
        worker.on('message', (message: FromWorker) => {
          if (message.is === 'question') tell(worker, { is: 'answer', answer: answer(message.question) })
          else if (message.is === 'problem') fail(message.problem)
          else if (message.is === 'listening') {
            listening.add(worker)
            if (listening.size === count) started({ address: message.address, failed, reports, stop })
          }
        })
        // Of a message to a worker that ended: its exit reports the same.
        worker.on('error', () => undefined)
        worker.once('exit', (code, signal) => {
          workers.delete(worker)
          listening.delete(worker)
          if (stopping) return
          const now = performance.now()
          const by = signal ?? `exit code ${code}`
          if (now - startedAt < earlyMs) earlyEnds = [...earlyEnds, now].filter((at) => now - at < earlyMs)
          if (earlyEnds.length < earlyEndsMax)
            onReplaced({ worker: worker.process.pid ?? 0, by, replacedBy: start().process.pid ?? 0 })
          else
            fail(
              `${earlyEndsMax} workers ended within ${earlyMs / 1000} s, each soon after its start, the last by ${by}. Their log lines above give the cause.`,
            )
        })
        return worker
      }
      for (let i = 0; i < count; i++) start()
    })
  })
}

/** A worker that does not listen yet has no requests. */
async function stopWorker(worker: Worker, { isListening }: { readonly isListening: boolean }): Promise<void> {
  const ended = new Promise<number | null>((resolve) => worker.once('exit', resolve))
  if (isListening) tell(worker, { is: 'stop' })
  else worker.process.kill('SIGKILL')
  const code = await ended
  if (code !== 0 && isListening) throw new Error(`Worker ${worker.process.pid} ended with ${code}.`)
}

/** Undefined of a worker that does not answer in time. */
const reportOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve) => {
    const end = (report: unknown): void => {
      clearTimeout(timer)
      worker.off('message', hear)
      resolve(report)
    }
    const hear = (message: FromWorker): void => {
      if (message.is === 'report') end(message.report)
    }
    const timer = setTimeout(end, reportMsMax, undefined)
    worker.on('message', hear)
    tell(worker, { is: 'report' })
  })

/** Without a callback an error of a worker that ended would be thrown by the process. */
const tell = (worker: Worker, message: FromPrimary): void => {
  worker.send(message, () => undefined)
}

/** The requests of a worker to its primary. */
export interface PrimaryOfWorker<Answer> {
  readonly ask: (question: string) => Promise<Answer>
  /** To be called once, with the address of this worker or the reason why it cannot listen. */
  readonly tell: (started: { readonly address: string } | { readonly problem: string }) => void
}

/**
 * In a worker: its primary. It calls `stop` after the worker has reported that it listens, and
 * `report` when it needs one.
 */
export function primaryOfWorker<Answer>(stop: () => void, report: () => unknown): PrimaryOfWorker<Answer> {
  // Terminals and supervisors signal all processes, and the primary decides when a worker stops.
  process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined)
  const asked: ((answer: Answer) => void)[] = []
  process.on('message', (message: FromPrimary) => {
    if (message.is === 'stop') stop()
    else if (message.is === 'report') send({ is: 'report', report: report() })
    // Replies arrive in the order of the requests.
    else if (message.is === 'answer') asked.shift()?.(message.answer as Answer)
  })
  const send = (message: FromWorker) => process.send?.(message)
  return {
    ask: (question) =>
      new Promise((resolve) => {
        asked.push(resolve)
        send({ is: 'question', question })
      }),
    tell: (started) => send('problem' in started ? { is: 'problem', ...started } : { is: 'listening', ...started }),
  }
}
