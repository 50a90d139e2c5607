/** Every error of the client, with a code that does not change between versions. */
export class LintelError extends Error {
  override readonly name: string = 'LintelError';
  /** The stable code, such as `DATA_UNIQUE_VIOLATION` or `TIMEOUT`: programs compare it, never the message. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** No response arrived, or only a part of one. Its code is `NETWORK`, its `cause` the error of the platform. */
export class NetworkError extends LintelError {
  override readonly name: string = 'NetworkError';

  constructor(message: string, cause?: unknown) {
    super('NETWORK', message, cause);
  }
}

/** No response arrived in time. Its code is `TIMEOUT`. */
export class TimeoutError extends LintelError {
  override readonly name: string = 'TimeoutError';

  constructor(timeoutMs: number) {
    super('TIMEOUT', `No response within ${timeoutMs} ms`);
  }
}
