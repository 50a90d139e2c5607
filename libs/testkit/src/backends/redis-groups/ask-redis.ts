import { Redis } from 'ioredis';

/** Longest silence of a server. */
const TIMEOUT_MS = 5_000;

/** A Redis on a loopback port. */
export interface AskedRedis {
  readonly port: number;
  readonly password?: string;
}

/**
 * Sends one command to a Redis, without any retry, and returns its reply.
 *
 * @throws Error with the error of the server, or where it does not respond
 */
export async function askRedis(
  server: AskedRedis,
  command: string,
  ...parameters: readonly (string | number)[]
): Promise<unknown> {
  const client = new Redis({
    ...{ host: '127.0.0.1', ...server, lazyConnect: true, enableReadyCheck: false },
    ...{ connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, retryStrategy: null, maxRetriesPerRequest: 0 },
  });
  // The call fails with it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(command, ...parameters);
  } finally {
    client.disconnect();
  }
}
