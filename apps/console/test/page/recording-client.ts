import { type Client, createClient } from '@lintel/client';

/** A request as it was sent. */
export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** The response to a request: JSON, unless it is a text. */
export interface GivenResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const BASE_URL = 'http://localhost:8080';

/** A client whose requests are recorded instead of being sent. */
export function recordingClient(respond: (request: Sent) => GivenResponse): {
  readonly client: Client;
  readonly sent: readonly Sent[];
} {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: BASE_URL,
    fetch: async (input, { method = 'GET', headers, body }) => {
      const isText = typeof body === 'string';
      const request = {
        ...{ method, path: String(input).slice(BASE_URL.length), headers: { ...headers } },
        body: isText ? (JSON.parse(body) as unknown) : body,
      };
      sent.push(request);
      const { status = 200, headers: more, body: content = {} } = respond(request);
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      return new Response(status === 204 ? null : text, {
        status,
        headers: { 'content-type': 'application/json', ...more },
      });
    },
  });
  return { client, sent };
}
