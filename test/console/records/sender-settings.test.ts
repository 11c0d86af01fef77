// Settings of senders, between their declaration and the fields of a form.
import { expect, test } from 'vitest'
import {
  captureSenderOf,
  captureSenderTexts,
  codeListsOf,
  noticeSenderOf,
  noticeSenderTexts,
} from '../../../src/console/records/sender-settings.ts'
import { NewCaptureSender } from '../../../src/contract/capture-sender.ts'
import type { Shape } from '../../../src/contract/shape/field.ts'
import { NewShipNoticeSender } from '../../../src/contract/ship-notice-sender.ts'

/** Every property of a declaration with a value: its example, or those of its own properties. */
function exampleOf(declaration: object): unknown {
  const { examples: [example] = [], properties, items } = declaration as Shape
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, exampleOf(shape)]))
  return items === undefined ? example : [exampleOf(items)]
}

const throughForm = (sender: NewShipNoticeSender) => noticeSenderOf(noticeSenderTexts(sender), codeListsOf(sender))

test('each setting of a sender of ship notices is the same after its form', () => {
  const { tlcSourceIsShipFrom, tlcSourceRole, ...others } = exampleOf(NewShipNoticeSender) as NewShipNoticeSender
  expect(Object.values(others).every((value) => value !== undefined)).toBe(true)
  for (const lotCodeSource of [{ tlcSourceIsShipFrom }, { tlcSourceRole }, {}])
    expect(throughForm({ ...others, ...lotCodeSource } as NewShipNoticeSender)).toEqual({ ...others, ...lotCodeSource })
})

test('each default for EPCIS documents is the same after its form', () => {
  const sender = exampleOf(NewCaptureSender) as NewCaptureSender
  expect(Object.values(sender).every((value) => value !== undefined)).toBe(true)
  expect(captureSenderOf(captureSenderTexts(sender))).toEqual(sender)
})
