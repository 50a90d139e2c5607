import type { Principal } from '@lintel/contracts';

/** What an operation gets to know of the request it serves. Made by the edge; no Express type shows. */
export interface RequestContext {
  readonly principal: Principal;
  /** Trace id, also in the `X-Trace-Id` header and on every log line. */
  readonly traceId: string;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** `Accept-Language` as sent, or undefined. */
  readonly acceptLanguage: string | undefined;
}
