/** A message is larger than a limit. */
export class MessageTooLargeError extends Error {
  /** Known to `translateDatabaseError`. */
  readonly code: 'LINTEL_ROW_SIZE' | 'LINTEL_RESULT_SIZE';

  constructor(code: MessageTooLargeError['code'], bytes: number, maxBytes: number) {
    super(
      `The database sent ${code === 'LINTEL_ROW_SIZE' ? 'a row' : 'rows'} of ${bytes} bytes; the limit is ${maxBytes}`,
    );
    this.code = code;
  }
}

/** The results of the process use all memory that they share. */
export class ResultMemoryError extends Error {
  /** Known to `translateDatabaseError`. */
  readonly code = 'LINTEL_RESULT_MEMORY';

  constructor(maxBytes: number) {
    super(`The results of all statements need more than ${maxBytes} bytes together`);
  }
}
