import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Address } from './find-addresses.ts';
import type { Health } from './replica.ts';

/** What a replica says of itself. */
export interface ReplicaReadiness {
  readonly address: string;
  readonly status: Health;
  /** Its checks: `up`, `degraded` or `down`. None where it gave no answer that can be read. */
  readonly checks?: Readonly<Record<string, string>>;
}

const STATES: ReadonlySet<unknown> = new Set(['up', 'degraded', 'down']);

/** An answer is a few lines; whoever sends more is not one of ours. */
const MOST_BYTES = 10_000;

/** Asks `GET /health/ready` over a connection of its own, and reads the answer. Never rejects. */
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
      (answer) => {
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_BYTES) answer.destroy(new Error('The answer is too long'));
        });
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
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
    // Not one of ours answers; its status is all that is known.
    return undefined;
  }
}
