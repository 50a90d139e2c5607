/** Request and answer of a custom controller; no web framework shows through. */
export interface ControllerRequest {
  readonly method: string;
  /** Path below the application's root, e.g. `/rest/sales/whoami`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: () => Promise<Uint8Array>;
  /** User name of the caller, `anonymous` on anonymous URLs. */
  readonly username: string;
  readonly signal: AbortSignal;
}

export interface ControllerResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts and bytes as they are. */
  readonly body?: string | Uint8Array | Readonly<Record<string, unknown>>;
}

export interface Controller {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly handle: (request: ControllerRequest) => Promise<ControllerResponse>;
}

/** Defines a custom controller (specification 4.7). */
export const controller = (method: Controller['method'], path: string, handle: Controller['handle']): Controller =>
  Object.freeze({ method, path, handle });
