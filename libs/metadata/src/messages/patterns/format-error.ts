/** A value that a pattern does not fit, or a pattern that is none. The message is for the author of the pattern. */
export class FormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormatError';
  }
}
