import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Address } from './find-addresses.ts';
import type { Health } from './replica.ts';

/**
 * Sends `GET /health/ready` over a connection of its own. A replica that responds with any status but 200 is not
 * ready; one that does not respond in time is unreachable.
 */
export function checkReadiness({ target, servername }: Address, timeoutMs: number): Promise<Health> {
  const request = target.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const check = request(
      `${target}/health/ready`,
      { agent: false, signal: AbortSignal.timeout(timeoutMs), ...(servername === undefined ? {} : { servername }) },
      (response) => {
        response.resume();
        // The body may break off: only the status counts.
        response.once('error', () => undefined);
        resolve(response.statusCode === 200 ? 'ready' : 'not ready');
      },
    );
    check.once('error', () => resolve('unreachable'));
    check.end();
  });
}
