import type { SessionAttributesRequest, SessionLocaleRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createServiceClient, type JsonResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { SessionLocales } from './session-locales.ts';

export interface HttpSessionLocalesOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  /** Called with the id of a changed session before the response: this process must drop its cached session. */
  readonly onChanged: (sessionId: string) => void;
  readonly metrics?: Metrics | undefined;
}

const TIMEOUT_MS = 5_000;

/** Calls `POST /internal/session-locale` and `POST /internal/session-attributes` of auth. */
export function createHttpSessionLocales(options: HttpSessionLocalesOptions): SessionLocales {
  const { internalSecret, onChanged, metrics } = options;
  const auth = createServiceClient(options.authInternalUrls, { service: 'auth', timeoutMs: TIMEOUT_MS, metrics });
  const send = async (path: string, request: SessionLocaleRequest | SessionAttributesRequest): Promise<boolean> => {
    let response: JsonResponse;
    try {
      response = await auth.sendJson(path, { method: 'POST', token: internalSecret, json: request });
    } catch (cause) {
      throw unavailable(cause);
    }
    const { status } = response;
    if (status === 204) onChanged(request.sessionId);
    else if (status !== 404) throw unavailable(new Error(`auth returned ${status} to a change of a session`));
    return status === 204;
  };
  return {
    change: (sessionId, locale) => send('/internal/session-locale', { sessionId, locale }),
    completeLogin: (sessionId, attributes) =>
      send('/internal/session-attributes', { sessionId, attributes: { ...attributes }, ofLogin: true }),
    changeAttributes: (sessionId, attributes) => send('/internal/session-attributes', { sessionId, attributes }),
  };
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'The session cannot be changed now', { cause });
