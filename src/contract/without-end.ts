// Text without what repeats at its end.

/** The text without a character at its end, however often it stands there. A pattern for it would start anew at each of them. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
