/** A call to one replica, at its address. */
export type ReplicaCall<T> = (url: string) => Promise<T>;

/** How long a replica that could not be reached is asked only after the others. */
const AVOIDED_MS = 5_000;

/**
 * Calls replicas of a service by turns. When the connection fails, the next one is called; where there is one only
 * it is called once more, since a kept connection may have been an old one. For calls that may be repeated.
 *
 * @param urls addresses of the replicas
 * @param nowMs a clock that only goes forward
 * @returns a function that answers what the call does, and throws what the last call has thrown
 */
export function createReplicaCaller(
  urls: readonly string[],
  nowMs: () => number = () => performance.now(),
): <T>(call: ReplicaCall<T>) => Promise<T> {
  const failedAtMs = new Map<string, number>();
  let turn = 0;
  const inOrder = (): readonly string[] => {
    turn += 1;
    const rotated = urls.map((_, index) => urls[(turn + index) % urls.length] ?? '');
    const isAvoided = (url: string) => nowMs() - (failedAtMs.get(url) ?? Number.NEGATIVE_INFINITY) < AVOIDED_MS;
    const order = [...rotated.filter((url) => !isAvoided(url)), ...rotated.filter(isAvoided)];
    return order.length === 1 ? [...order, ...order] : order;
  };
  return async (call) => {
    let failure: unknown;
    for (const url of inOrder()) {
      try {
        return await call(url);
      } catch (error) {
        if (!isConnectionFailure(error)) throw error;
        failedAtMs.set(url, nowMs());
        failure = error;
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

/** Whether a connection could not be made or broke; the causes of `fetch` and of translated errors are looked at. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && CONNECTION_FAILURES.has(String(error.code))) return true;
  return error.cause !== undefined && isConnectionFailure(error.cause);
}
