import { isIP } from 'node:net';
import { AddressRefusedError, createExternalClient } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import { hostOf, type ReceiverRules } from './receiver-rules.ts';

/** Result of sending a message: accepted if the status is 2xx. */
export interface SendResult {
  readonly isTaken: boolean;
  readonly status?: number;
  /** Why it was not accepted; contains no text of the receiver. */
  readonly error?: string;
}

/** Sends messages to receivers. */
export interface Sender {
  /** Rejects only with the reason of `signal`. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<SendResult>;
  close(): Promise<void>;
}

/** The rest of a longer response is not read. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Sends each message with one `POST`: redirects are not followed, the body of the response is discarded. */
export function createSender(
  { isRefused, problemOf }: ReceiverRules,
  timeoutMs: number,
  metrics?: Metrics | undefined,
): Sender {
  const client = createExternalClient({ timeoutMs, isRefused, metrics });
  return {
    async send(text, headers, body, ended) {
      // The rules may have become stricter since the webhook was saved.
      const problem = problemOf(text);
      if (problem !== undefined) return { isTaken: false, error: `The URL ${problem.text}` };
      const url = new URL(text);
      const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]);
      try {
        const { statusCode, body: responseBody } = await client.send(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Lintel-Webhooks' },
          body,
          signal,
        });
        // Only the status matters: a truncated or endless body does not change it.
        await responseBody.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
        if (statusCode >= 200 && statusCode < 300) return { isTaken: true, status: statusCode };
        return { isTaken: false, status: statusCode, error: `${hostOf(url)} returned ${statusCode}` };
      } catch (error) {
        if (ended.aborted) throw error;
        return { isTaken: false, error: reasonOf(error, url, timeoutMs) };
      }
    },
    close: () => client.destroy(),
  };
}

function reasonOf(error: unknown, url: URL, timeoutMs: number): string {
  if (error instanceof AddressRefusedError) return error.message;
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (name === 'TimeoutError' || (typeof code === 'string' && code.endsWith('_TIMEOUT')))
    return `${hostOf(url)} did not respond within ${timeoutMs} ms`;
  const host = isIP(hostOf(url)) === 6 ? url.hostname : hostOf(url);
  return `${host} cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`;
}
