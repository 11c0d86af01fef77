// The choices of a field, and those that match the typed text. Pure.

export interface Choice {
  readonly value: string
  /** Beside the value. */
  readonly words?: string | undefined
}

const fold = (text: string): string => text.toLocaleLowerCase('en')

/** Choices that contain each word of the text, in the value or beside it. */
export function choicesFor(choices: readonly Choice[], text: string): readonly Choice[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  return choices.filter(({ value, words: beside = '' }) => {
    const whole = fold(`${value} ${beside}`)
    return words.every((word) => whole.includes(word))
  })
}
