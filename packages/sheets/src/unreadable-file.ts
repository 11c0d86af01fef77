/**
 * Why a file cannot be read any further, with the remedy. Caught where reading began, and returned
 * as a value.
 */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}
