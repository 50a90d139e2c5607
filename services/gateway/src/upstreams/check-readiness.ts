import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Address } from './find-addresses.ts';
import type { Health } from './replica.ts';

/**
 * Asks `GET /health/ready` over a connection of its own. Whoever answers anything but 200 is not ready, whoever
 * gives no answer in time cannot be reached.
 */
export function checkReadiness({ target, servername }: Address, timeoutMs: number): Promise<Health> {
  const request = target.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const check = request(
      `${target}/health/ready`,
      { agent: false, signal: AbortSignal.timeout(timeoutMs), ...(servername === undefined ? {} : { servername }) },
      (answer) => {
        answer.resume();
        // Cut after its head: the status says it all.
        answer.once('error', () => undefined);
        resolve(answer.statusCode === 200 ? 'ready' : 'not ready');
      },
    );
    check.once('error', () => resolve('unreachable'));
    check.end();
  });
}
