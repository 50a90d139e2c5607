import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Address } from './find-addresses.ts';
import type { Health } from './replica.ts';

/** The readiness that a replica reports. */
export interface ReplicaReadiness {
  readonly address: string;
  readonly status: Health;
  /** Its checks: `up`, `degraded` or `down`. Undefined if its response cannot be read. */
  readonly checks?: Readonly<Record<string, string>>;
}

const STATES: ReadonlySet<unknown> = new Set(['up', 'degraded', 'down']);

/** The response of a service has a few lines; a longer one comes from another program. */
const MAX_BYTES = 10_000;

/**
 * Sends `GET /health/ready` over a connection of its own, and reads the response. A replica that responds with any status
 * but 200 is not ready; one that does not respond in time is unreachable. Never rejects.
 */
export async function readReadiness({ target, servername }: Address, timeoutMs: number): Promise<ReplicaReadiness> {
  try {
    const { status, body } = await ask(`${target}/health/ready`, servername, timeoutMs);
    const checks = checksOf(body);
    return { address: target, status: status === 200 ? 'ready' : 'not ready', ...(checks && { checks }) };
  } catch {
    return { address: target, status: 'unreachable' };
  }
}

function ask(
  url: string,
  servername: string | undefined,
  timeoutMs: number,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asking = request(
      url,
      { agent: false, signal: AbortSignal.timeout(timeoutMs), ...(servername === undefined ? {} : { servername }) },
      (response) => {
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_BYTES) response.destroy(new Error('The response is too long'));
        });
        const { statusCode: status } = response;
        // The body may break off, also with an error of the request: then only the status counts.
        const breakOff = (): void => resolve({ status, body: '' });
        asking.off('error', reject).once('error', breakOff);
        text(response).then((body) => resolve({ status, body }), breakOff);
      },
    );
    asking.once('error', reject);
    asking.end();
  });
}

function checksOf(body: string): Readonly<Record<string, string>> | undefined {
  try {
    const { checks } = JSON.parse(body) as { readonly checks?: unknown };
    if (typeof checks !== 'object' || checks === null) return undefined;
    return Object.fromEntries(
      Object.entries(checks).map(([name, state]) => [name, STATES.has(state) ? String(state) : 'down']),
    );
  } catch {
    // Another program responded; only the status is known.
    return undefined;
  }
}
