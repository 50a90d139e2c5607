import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { baseUrl } from './api.ts';

/** A request whose target goes out byte for byte: no client library tidies it up. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, percent-encoded as they are to be sent. */
  readonly target: string;
  /** Several values are several lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * Sends a request as it is.
 *
 * @throws Error when no response comes in time, or the connection ends without one
 */
export const sendRaw = ({ method, target, headers, body }: RawRequest, timeoutMs = 30_000): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const sent = request(
      {
        agent,
        hostname,
        port,
        method,
        path: target,
        headers: {
          ...(headers as OutgoingHttpHeaders),
          ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
        },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });

/** Lets the connections go. */
export const closeRaw = (): void => agent.destroy();
