import { LintelError, NetworkError, TimeoutError } from '../errors/lintel-error.ts';
import { readError } from '../errors/read-error.ts';
import type { RestError } from '../errors/rest-error.ts';
import { parseExact } from '../json/parse-exact.ts';
import type { NumberKinds } from '../json/type-numbers.ts';
import { writeJson } from '../json/write-json.ts';
import type { FetchLike, ResponseLike } from '../platform.ts';
import { type AttemptSignal, attemptSignal, unlessAborted, wait } from './attempt-signal.ts';
import { backoffMs } from './backoff-ms.ts';
import type { Call, ReadCall, Reply } from './call.ts';
import { createOwnRequests, type OwnRequests } from './own-requests.ts';
import { DEFAULT_PATHS, type Paths } from './paths.ts';
import { reasonHeader } from './reason-header.ts';
import type { TokenSource, Tokens } from './token-source.ts';

/** How the server is reached. */
export interface ConnectionOptions {
  /** `https://api.example.com`, without a path. */
  readonly baseUrl: string;
  /** The access token: a session, or a function. Without it, requests are anonymous. */
  readonly token?: Tokens | undefined;
  /** The language of messages and captions, as in `Accept-Language`. */
  readonly locale?: string | undefined;
  /** How long one attempt may take until the response is complete; 60 s by default. Files have it for the first byte. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again after a failure, where this is safe; 2 by default. */
  readonly maxRetries?: number | undefined;
  /** The longest wait that a server may ask for between two attempts; 30 s by default. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Headers of all requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the `fetch` of the platform. */
  readonly fetch?: FetchLike | undefined;
}

/** What a generated client knows of its application. */
export interface ApiDescription {
  /** Where the parts of the API are, if the server is configured with other paths. */
  readonly paths?: Paths;
  /** Which attributes are decimals or 64-bit integers. */
  readonly numbers?: NumberKinds;
}

/** Sends requests with tokens, retries and timeouts. All parts of the client share one. */
export interface Connection {
  /** Address of the server, without a path of the API. */
  readonly baseUrl: string;
  /** The paths of the server; `DEFAULT_PATHS` by default. */
  readonly paths: Paths;
  /** The attributes whose JSON numbers are read exactly; none by default. */
  readonly numbers: NumberKinds;
  /** The requests by which changes are known as own ones. */
  readonly ownRequests: Pick<OwnRequests, 'made'>;
  /** Reads the response whole. Rejects with a `RestError` if it is an error. */
  read(call: ReadCall): Promise<Reply>;
  /** Returns the response as soon as it begins. Its body must be read to the end, or `release` called. */
  open(call: Call): Promise<{ readonly response: ResponseLike; release(): void }>;
}

type Use<T> = (response: ResponseLike, timing: AttemptSignal) => Promise<T>;

const DEFAULT_LIMITS = { timeoutMs: 60_000, maxRetries: 2, maxRetryDelayMs: 30_000 };

/** Connects the parts of a client with a server. */
export function createConnection(options: ConnectionOptions, description: ApiDescription = {}): Connection {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { paths = DEFAULT_PATHS, numbers = {} } = description;
  const limits = { ...DEFAULT_LIMITS, ...definedOf(options) };
  const ownRequests = createOwnRequests();
  const source: TokenSource =
    typeof options.token === 'function' ? { token: options.token } : (options.token ?? { token: () => undefined });

  const headersOf = (call: Call, token: string | undefined): Record<string, string> => ({
    ...options.headers,
    ...definedOf({
      'accept-language': options.locale,
      'content-type': call.json === undefined ? undefined : 'application/json',
      'x-change-reason': reasonHeader(call.reason),
      // Not sampled unless the server decides so (W3C Trace Context).
      traceparent: call.trace && `00-${call.trace}-${call.trace.slice(16)}-00`,
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      ...definedOf(call.headers ?? {}),
    }),
  });

  async function attempt(call: Call, token: string | undefined, timing: AttemptSignal): Promise<ResponseLike> {
    const body = call.json === undefined ? call.body?.() : writeJson(call.json);
    try {
      const send = call.fetch ?? options.fetch ?? (fetch as unknown as FetchLike);
      return await send(`${baseUrl}${call.path}`, {
        method: call.method,
        headers: headersOf(call, token),
        signal: timing.signal,
        ...(body !== undefined && { body, duplex: 'half' }),
      });
    } catch (error) {
      throw failureOf(error, call, timing);
    }
  }

  async function send<T>(call: Call, use: Use<T>): Promise<T> {
    const isRead = call.method === 'GET' || call.method === 'HEAD';
    return isRead || call.body !== undefined
      ? sendUntilDone(call, use, () => {})
      : ownRequests.during((respond) => sendUntilDone(call, use, respond));
  }

  /** Sends until there is a response that is no error, reads it with `use`, and returns what this returns. */
  async function sendUntilDone<T>(call: Call, use: Use<T>, respond: (response: ResponseLike) => void): Promise<T> {
    let token = await unlessAborted(source.token(), call.signal);
    let isRenewed = false;
    for (let retries = 0; ; ) {
      const timing = attemptSignal(call.signal, call.timeoutMs ?? limits.timeoutMs);
      let failure: unknown;
      try {
        const response = await attempt(call, token, timing);
        respond(response);
        if (response.ok) return await use(response, timing);
        const text = await response.text().catch((error: unknown) => {
          throw failureOf(error, call, timing);
        });
        failure = readError(response, text);
      } catch (error) {
        failure = error;
      }
      timing.release();
      if (call.once === true) throw failure;
      if ((failure as Partial<RestError>).status === 401 && token !== undefined && !isRenewed) {
        isRenewed = true;
        const renewed = await unlessAborted(source.renew?.(token), call.signal);
        if (renewed === undefined) throw failure;
        token = renewed;
        continue;
      }
      const delayMs = delayBefore(retries, failure, call, limits);
      if (delayMs === undefined) throw failure;
      await wait(delayMs, call.signal);
      retries += 1;
    }
  }

  return {
    baseUrl,
    paths,
    numbers,
    ownRequests,
    read: (call) =>
      send(call, async (response, timing) => {
        const text = await response.text().catch((error: unknown) => {
          throw failureOf(error, call, timing);
        });
        timing.release();
        const isJson = response.headers.get('content-type')?.includes('json') === true;
        const body = text === '' ? undefined : !isJson ? text : (call.parse?.(text) ?? parseExact(text, numbers));
        return { status: response.status, headers: response.headers, body };
      }),
    open: (call) =>
      send(call, async (response, timing) => {
        timing.stopTimer();
        return { response, release: timing.release };
      }),
  };
}

const definedOf = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** The reason of the caller or of the timer; else the network failed. */
function failureOf(error: unknown, call: Call, { signal }: AttemptSignal): unknown {
  if (call.signal?.aborted === true) return call.signal.reason;
  if (signal.aborted) return signal.reason;
  const { message, cause } = error as Error;
  const detail = (cause as Error | undefined)?.message || message;
  return new NetworkError(`${call.method} ${call.path.replace(/\?.*/, '')}: ${detail}`, error);
}

/** How long to wait before the request is sent again; undefined if it must not be, or was often enough. */
function delayBefore(
  retries: number,
  failure: unknown,
  call: Call,
  { maxRetries, maxRetryDelayMs }: typeof DEFAULT_LIMITS,
): number | undefined {
  if (!(failure instanceof LintelError) || retries >= maxRetries) return undefined;
  if (failure instanceof NetworkError || failure instanceof TimeoutError) {
    return call.repeatable ? backoffMs(retries) : undefined;
  }
  const { status, retryAfterMs = backoffMs(retries) } = failure as RestError;
  // 429: not executed. The others: perhaps executed; 409 has the first attempt in progress.
  const isTemporary = status === 429 || (call.repeatable && (isOfServer(status) || isInProgress(failure as RestError)));
  return isTemporary && retryAfterMs <= maxRetryDelayMs ? retryAfterMs : undefined;
}

const isOfServer = (status: number): boolean => status >= 502 && status <= 504;
const isInProgress = ({ code }: RestError): boolean => code === 'REQ_IN_PROGRESS';
