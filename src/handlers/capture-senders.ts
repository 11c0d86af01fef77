// Lists and sets what is declared for the senders of EPCIS documents.
import type { Static } from 'typebox'
import { isGiven } from '../contract/field.ts'
import { operations } from '../operations/catalogue.ts'
import { captureSenders, captureSendersMax, writeCaptureSenders } from '../store/capture-senders.ts'
import { shapeRefusal } from './failure-answers.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'

export const listCaptureSenders =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const content = (await captureSenders(store, provider)).map(({ sender, defaults, setAt, setBy }) => ({
      ...defaults,
      sender: sender === '' ? null : sender,
      setDateTime: setAt.toISOString(),
      setBy,
    }))
    return { outcome: 'listed', body: { content } }
  }

export const setCaptureSenders =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'set'>> => {
    const refusal = shapeRefusal(operations.setCaptureSenders.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { senders } = call.body.value as Static<typeof operations.setCaptureSenders.body>
    const seen = new Set<string>()
    const set = senders.map(({ sender = '', ...defaults }) => ({
      sender,
      defaults: Object.fromEntries(Object.entries(defaults).filter(([, value]) => isGiven(value))),
    }))
    for (const { sender } of set) {
      const whose = sender === '' ? 'all senders' : `sender ${JSON.stringify(sender)}`
      if (sender !== '' && !isGiven(sender))
        return {
          outcome: 'refused',
          detail: `A sender is blank. Name it, or omit the field for all senders. ${nothingSet}`,
        }
      if (seen.has(sender))
        return {
          outcome: 'refused',
          detail: `The defaults of ${whose} are listed twice. List them once. ${nothingSet}`,
        }
      seen.add(sender)
    }
    const end = await writeCaptureSenders(store, call.provider, set, { who: call.keyId, requestId: call.requestId })
    return end === 'tooMany'
      ? {
          outcome: 'refused',
          detail: `At most ${captureSendersMax.toLocaleString('en-US')} senders can have defaults. Remove some. ${nothingSet}`,
        }
      : { outcome: 'set', body: { set: set.length } }
  }

const nothingSet = 'No default was set.'
