import type { AbortSignalLike, FetchLike, ResponseLike } from '../platform.ts';

/** What every method of the client accepts. */
export interface CallOptions {
  /** Ends the request, the wait for a token and that between attempts; the method rejects with the reason of the signal. */
  readonly signal?: AbortSignalLike | undefined;
  /** How long one attempt may take, instead of `timeoutMs` of the client; `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined;
}

/** What every method that may write accepts. */
export interface ChangeOptions extends CallOptions {
  /** Why: recorded with the changes of entities that have a history. 1 to 500 characters; line breaks become spaces. */
  readonly reason?: string | undefined;
  /** Trace id of the request, 32 hexadecimal digits: recorded changes have it, and so has the log of the server. */
  readonly trace?: string | undefined;
}

/** The members of options that every call has. */
export const callOf = ({ signal, timeoutMs, reason, trace }: ChangeOptions = {}) => ({
  signal,
  timeoutMs,
  reason,
  trace,
});

/** A request below the base address. */
export interface Call extends ChangeOptions {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Called for each attempt; what it returns is sent as it is. */
  readonly body?: () => unknown;
  /** Whether the request may be executed twice: it only reads, or has an idempotency key. */
  readonly repeatable: boolean;
  /** The body can be read only once, so nothing is sent again. */
  readonly once?: boolean;
  /** Instead of the `fetch` of the client. */
  readonly fetch?: FetchLike;
}

/** A call whose response is read whole, as JSON or text. */
export interface ReadCall extends Call {
  /** Parses a response whose values do not name their entity. */
  readonly parse?: ((json: string) => unknown) | undefined;
}

/** A successful response that was read. */
export interface Reply {
  readonly status: number;
  readonly headers: ResponseLike['headers'];
  /** JSON, else text; undefined if it is empty. */
  readonly body: unknown;
}
