/** A call to one replica, at its address. */
export type ReplicaCall<T> = (url: string) => Promise<T>;

/** How long a replica that could not be reached is called only after the others. */
const AVOIDED_MS = 5_000;

/**
 * Calls replicas of a service in rotation. When the connection fails, the next one is called; a single replica is called
 * once more, since the server may have closed a kept connection. A call that is not repeatable is made once.
 *
 * @param urls addresses of the replicas
 * @param nowMs a monotonic clock
 * @returns a function with the result of the call, which throws the error of the last call
 */
export function createReplicaCaller(
  urls: readonly string[],
  nowMs: () => number = () => performance.now(),
): <T>(call: ReplicaCall<T>, options?: { readonly isRepeatable: boolean }) => Promise<T> {
  const failedAtMs = new Map<string, number>();
  let calls = 0;
  const inOrder = (): readonly string[] => {
    calls += 1;
    const rotated = urls.map((_, index) => urls[(calls + index) % urls.length] ?? '');
    const isAvoided = (url: string) => nowMs() - (failedAtMs.get(url) ?? Number.NEGATIVE_INFINITY) < AVOIDED_MS;
    const order = [...rotated.filter((url) => !isAvoided(url)), ...rotated.filter(isAvoided)];
    return order.length === 1 ? [...order, ...order] : order;
  };
  return async (call, { isRepeatable } = { isRepeatable: true }) => {
    let failure: unknown;
    for (const url of inOrder()) {
      try {
        return await call(url);
      } catch (error) {
        if (!isConnectionFailure(error)) throw error;
        failedAtMs.set(url, nowMs());
        failure = error;
        if (!isRepeatable) break;
      }
    }
    throw failure;
  };
}

const CONNECTION_FAILURES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Whether a connection could not be made or broke; causes of the error count, too. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && CONNECTION_FAILURES.has(String(error.code))) return true;
  return error.cause !== undefined && isConnectionFailure(error.cause);
}
