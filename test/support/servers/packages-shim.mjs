// Loaded before the program (`node --import`): the packages of OpenTelemetry are not installed.
import { register } from 'node:module'

const hooks = `export async function resolve(name, context, next) {
  if (!name.startsWith('@opentelemetry/')) return next(name, context)
  console.error('asked for ' + name)
  throw Object.assign(new Error('no ' + name), { code: 'ERR_MODULE_NOT_FOUND' })
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
