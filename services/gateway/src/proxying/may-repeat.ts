/** A request that failed at a replica before its response began. */
export interface Failure {
  readonly method: string;
  readonly hasBody: boolean;
  /** Whether there was a connection, so that the service may have received the request. */
  readonly wasConnected: boolean;
  /** Whether bytes of a response arrived, valid or not. */
  readonly hasResponded: boolean;
  /** Whether the service was too slow: another replica would not be faster. */
  readonly isTimeout: boolean;
  /** How many times the request was sent over a connection before. */
  readonly repeats: number;
  /** Whether its response is a stream: the client reconnects by itself. */
  readonly isStream: boolean;
}

/**
 * Whether a failed request may be sent to another replica: any request that has certainly not reached a service;
 * GET and HEAD, which change nothing, once.
 */
export function mayRepeat(failure: Failure): boolean {
  if (!failure.wasConnected) return true;
  const isSafe = (failure.method === 'GET' || failure.method === 'HEAD') && !failure.hasBody && !failure.isStream;
  return isSafe && !failure.hasResponded && !failure.isTimeout && failure.repeats === 0;
}
