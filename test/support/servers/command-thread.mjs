// Runs commands one after the other, each with an environment, arguments and streams of its own.
import { Readable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'

const { runProgram } = await import(workerData)

parentPort.on('message', async ({ args, env, input }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true })
  const written = { stdout: [], stderr: [] }
  for (const name of ['stdout', 'stderr'])
    process[name].write = (chunk) => {
      written[name].push(Buffer.from(chunk))
      return true
    }
  process.exitCode = 0
  await runProgram([process.execPath, 'lotkeeper', ...args])
  const textOf = (name) => Buffer.concat(written[name]).toString()
  parentPort.postMessage({ code: process.exitCode, stdout: textOf('stdout'), stderr: textOf('stderr') })
})
