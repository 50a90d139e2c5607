import { setTimeout as sleep } from 'node:timers/promises';

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
  json(): any;
}

export interface Ask {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** A client of the API at `url`. */
export function createClient(url: string) {
  async function ask(method: string, path: string, { token, headers = {}, body }: Ask = {}): Promise<Response> {
    const isForm = body instanceof URLSearchParams;
    const isJson = typeof body === 'object' && !isForm;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  }

  const logIn = (username: string, password: string, secret = 'secret'): Promise<Response> =>
    ask('POST', '/oauth/token', {
      headers: { authorization: `Basic ${Buffer.from(`client:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'password', username, password }),
    });

  /** Runs a report in the background; returns how it ended. */
  async function runInBackground(path: string, how: Ask): Promise<Response> {
    const accepted = await ask('POST', path, { ...how, headers: { ...how.headers, prefer: 'respond-async' } });
    if (accepted.status !== 202) return accepted;
    const { token } = how;
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const run = await ask('GET', accepted.headers.get('location') ?? '', token === undefined ? {} : { token });
      if (!['QUEUED', 'RUNNING'].includes(run.json().status)) return run;
      await sleep(100);
    }
    throw new Error('The run did not end within 30 seconds');
  }

  return { ask, logIn, runInBackground };
}
