/** A response of the application. */
export interface TestResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response; names in any case. */
  readonly headers: Headers;
  /** The body as text; empty without one. */
  readonly text: string;
  /** The body. @throws SyntaxError if it is not JSON */
  // biome-ignore lint/suspicious/noExplicitAny: responses have every form
  json<T = any>(): T;
}

/** What a request has besides its method and path. */
export interface RequestParts {
  /** Headers in addition to the token and the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
}

/** Sends requests as one user. Paths are those below the REST API, such as `/entities/garage_Car`. */
export interface TestClient {
  /** Sends any request. Resolves with the response, of any status. */
  send(method: string, path: string, parts?: RequestParts): Promise<TestResponse>;
  get(path: string): Promise<TestResponse>;
  post(path: string, body?: unknown): Promise<TestResponse>;
  put(path: string, body?: unknown): Promise<TestResponse>;
  delete(path: string): Promise<TestResponse>;
}

/**
 * @param restUrl address of the REST API
 * @param token for the header `Authorization`; undefined for a client without a user
 */
export function createClient(restUrl: () => string, token: () => Promise<string | undefined>): TestClient {
  const send: TestClient['send'] = async (method, path, { headers = {}, body } = {}) => {
    const value = await token();
    const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    const response = await fetch(`${restUrl()}${path}`, {
      method,
      headers: {
        ...(value !== undefined && { authorization: `Bearer ${value}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string | Uint8Array<ArrayBuffer>) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, { body }),
    put: (path, body) => send('PUT', path, { body }),
    delete: (path) => send('DELETE', path),
  };
}
