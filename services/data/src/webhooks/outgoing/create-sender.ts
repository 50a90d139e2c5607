import { isIP } from 'node:net';
import { AddressRefusedError, publicLookup } from '@lintel/http';
import { hostOf, type ReceiverRules } from './receiver-rules.ts';

/** What a receiver made of a message: taken where its status is 2xx. */
export interface Answer {
  readonly isTaken: boolean;
  readonly status?: number;
  /** Why it is not taken, without anything that the receiver has written. */
  readonly error?: string;
}

/** Sends messages to receivers. */
export interface Sender {
  /** Never rejects, but with the reason of `signal`. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** More of an answer is not read. */
const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * One `POST` each: no redirection is followed, the body of the answer is dropped. Addresses are checked when the
 * connection is made, so that a name cannot mean another one meanwhile.
 */
export function createSender({ isRefused, problemOf }: ReceiverRules, timeoutMs: number): Sender {
  // Most services never tell anybody anything: the client's code is loaded with the first message.
  const open = async () => {
    const { Agent, request } = await import('undici');
    const dispatcher = new Agent({
      // Every receiver speaks HTTP/1.1, and only that is tested.
      allowH2: false,
      connect: { lookup: publicLookup(isRefused), timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return { request, dispatcher };
  };
  let client: ReturnType<typeof open> | undefined;
  return {
    async send(text, headers, body, ended) {
      // The rules may have become stricter since it was saved.
      const problem = problemOf(text);
      if (problem !== undefined) return { isTaken: false, error: `The URL ${problem}` };
      const url = new URL(text);
      const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]);
      client ??= open();
      const { request, dispatcher } = await client;
      try {
        const { statusCode, body: answer } = await request(url, {
          dispatcher,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Lintel-Webhooks' },
          body,
          signal,
        });
        // The status says everything: a body that breaks off, or does not end in time, changes nothing of it.
        await answer.dump({ limit: MOST_ANSWER_BYTES, signal }).catch(() => undefined);
        if (statusCode >= 200 && statusCode < 300) return { isTaken: true, status: statusCode };
        return { isTaken: false, status: statusCode, error: `${hostOf(url)} answered ${statusCode}` };
      } catch (error) {
        if (ended.aborted) throw error;
        return { isTaken: false, error: reasonOf(error, url, timeoutMs) };
      }
    },
    close: async () => (await client)?.dispatcher.destroy(),
  };
}

function reasonOf(error: unknown, url: URL, timeoutMs: number): string {
  if (error instanceof AddressRefusedError) return error.message;
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (name === 'TimeoutError' || (typeof code === 'string' && code.endsWith('_TIMEOUT')))
    return `${hostOf(url)} did not answer within ${timeoutMs} ms`;
  const host = isIP(hostOf(url)) === 6 ? url.hostname : hostOf(url);
  return `${host} cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`;
}
