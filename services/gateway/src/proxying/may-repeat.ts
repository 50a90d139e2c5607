/** A request that a replica has failed before any of its answer came. */
export interface Failure {
  readonly method: string;
  readonly hasBody: boolean;
  /** Whether a connection came to be, so that the service may have seen the request. */
  readonly wasConnected: boolean;
  /** Whether bytes of an answer came, even if they were none that can be read. */
  readonly hasAnswered: boolean;
  /** Whether the service was merely too slow: another one would not be faster. */
  readonly isTimeout: boolean;
  /** How often the request was sent over a connection before. */
  readonly repeats: number;
  /** Whether its answer has no end: the client comes again by itself. */
  readonly isStream: boolean;
}

/**
 * Whether a failed request may be sent to another replica: any request that certainly has not reached a service,
 * and once GET and HEAD, which change nothing.
 */
export function mayRepeat(failure: Failure): boolean {
  if (!failure.wasConnected) return true;
  const isSafe = (failure.method === 'GET' || failure.method === 'HEAD') && !failure.hasBody && !failure.isStream;
  return isSafe && !failure.hasAnswered && !failure.isTimeout && failure.repeats === 0;
}
