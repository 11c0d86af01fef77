// Documents of other programs, EPCIS and ship notices: clocks wrote their dates (decision 0008).
import type { HandlerContext } from '../base/handler.ts'

export const withDatesOfProgram = (context: HandlerContext): HandlerContext => ({
  ...context,
  settings: { ...context.settings, areDatesOfProgram: true },
})
