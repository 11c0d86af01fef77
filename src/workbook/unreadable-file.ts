/**
 * Why a file cannot be read any further, and what to do about it. Caught where reading began, and
 * told as a value.
 */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}
