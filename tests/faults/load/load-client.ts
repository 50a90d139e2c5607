import type { Complaints } from './complaints.ts';
import { describeDefect } from './describe-defect.ts';
import type { Meter } from './meter.ts';

/** Nothing may keep a caller waiting for longer, whatever is broken: statements and calls have their limits. */
const LONGEST_WAIT_MS = 30_000;
/** Responses that the load causes: what is somebody else's, what is being carried out, what came late. */
const REGULAR: ReadonlySet<number> = new Set([404, 409, 412]);

export interface LoadRequest {
  readonly method: string;
  /** Below the address of the gateway. */
  readonly path: string;
  readonly body?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, or none: then nobody knows whether the request was carried out. */
export type Outcome =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly status: number; readonly bytes: Uint8Array }
  | { readonly kind: 'cut' };

/** The JSON of a response. */
export const jsonOf = <T>({ bytes }: { readonly bytes: Uint8Array }): T =>
  JSON.parse(new TextDecoder().decode(bytes)) as T;

export interface LoadClientOptions {
  readonly url: string;
  /** A user of the demo, whose password is the name. */
  readonly username: string;
  readonly meter: Meter;
  readonly complaints: Complaints;
  /** Whether a connection may be cut without a response now: where a process was killed. */
  readonly mayBeCut: () => boolean;
}

/**
 * A caller as it should be: it lets itself be let in again where its session is gone, and takes down every response
 * that is not in the API's shape.
 */
export class LoadClient {
  readonly username: string;
  private readonly options: LoadClientOptions;
  private token: string | undefined;
  private loggingIn: Promise<void> | undefined;

  constructor(options: LoadClientOptions) {
    this.options = options;
    this.username = options.username;
  }

  /** Sends a request, with a new token where the one it has is gone. Never rejects. */
  async send(request: LoadRequest): Promise<Outcome> {
    const { token } = this;
    if (token === undefined) {
      const refused = await this.logIn();
      if (refused !== undefined) return refused;
    }
    const outcome = await this.sendOnce(request, { authorization: `Bearer ${this.token}` });
    if (outcome.kind !== 'refused' || outcome.status !== 401) return outcome;
    // A token that is refused has done nothing.
    this.token = undefined;
    return (await this.logIn()) ?? this.sendOnce(request, { authorization: `Bearer ${this.token}` });
  }

  /** Gets a token; returns why there is none. */
  async logIn(): Promise<Outcome | undefined> {
    let refused: Outcome | undefined;
    this.loggingIn ??= this.requestToken().then((outcome) => {
      refused = outcome;
      this.loggingIn = undefined;
    });
    await this.loggingIn;
    return this.token === undefined ? (refused ?? { kind: 'cut' }) : undefined;
  }

  private async requestToken(): Promise<Outcome | undefined> {
    const { username } = this;
    const form = new URLSearchParams({ grant_type: 'password', username, password: username });
    const outcome = await this.sendOnce(
      { method: 'POST', path: '/oauth/token', bytes: new TextEncoder().encode(form.toString()) },
      {
        authorization: `Basic ${btoa('client:secret')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
    if (outcome.kind !== 'done') return outcome;
    this.token = jsonOf<{ access_token: string }>(outcome).access_token;
    return undefined;
  }

  private async sendOnce(request: LoadRequest, headers: Readonly<Record<string, string>>): Promise<Outcome> {
    const { url, meter, complaints, mayBeCut } = this.options;
    const { method, path } = request;
    const route = `${method} ${path.replace(/[?].*$/, '').replace(/[0-9a-f-]{36}/, '…')}`;
    const body = request.bytes ?? (request.body === undefined ? null : JSON.stringify(request.body));
    const beganMs = performance.now();
    const waitedMs = (): number => performance.now() - beganMs;
    try {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...request.headers },
        body,
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status } = response;
      if (status < 300) {
        meter.succeeded();
        return { kind: 'done', bytes };
      }
      if (REGULAR.has(status)) meter.succeeded();
      else meter.refused(String(status), waitedMs());
      const defect = describeDefect(response, bytes);
      if (defect !== undefined) complaints.add(`${route}: ${defect}`);
      return { kind: 'refused', status, bytes };
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      meter.refused(isLate ? 'no response' : 'cut', waitedMs());
      if (isLate) complaints.add(`${route}: no response in ${LONGEST_WAIT_MS} ms`);
      else if (!mayBeCut()) complaints.add(`${route}: the connection was cut (${causeOf(error)})`);
      return { kind: 'cut' };
    }
  }
}

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? String(error.cause) : String(error);
