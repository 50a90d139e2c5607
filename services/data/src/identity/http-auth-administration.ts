import { type ErrorCode, PlatformError } from '@lintel/errors';
import { createServiceClient, type JsonResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { AuthAdministration } from './auth-administration.ts';

export interface HttpAuthAdministrationOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  readonly metrics?: Metrics | undefined;
}

/** The end of a client with many logins takes longer than other operations. */
const TIMEOUT_MS = 30_000;

const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'REQ_INVALID_PARAMETER'],
  [403, 'ACCESS_DENIED'],
  [404, 'REQ_NOT_FOUND'],
  [409, 'DATA_ALREADY_EXISTS'],
  [412, 'REQ_PRECONDITION_FAILED'],
  // A number may be longer for auth than the caller has written it: 1e20.
  [413, 'REQ_BODY_TOO_LARGE'],
  [429, 'REQ_TOO_MANY_REQUESTS'],
]);

/** Calls `POST /internal/<operation>` of auth. */
export function createHttpAuthAdministration(options: HttpAuthAdministrationOptions): AuthAdministration {
  const { internalSecret, metrics } = options;
  const auth = createServiceClient(options.authInternalUrls, { service: 'auth', timeoutMs: TIMEOUT_MS, metrics });
  return {
    async call(operation, request) {
      let response: JsonResponse;
      try {
        response = await auth.sendJson(`/internal/${operation}`, {
          method: 'POST',
          token: internalSecret,
          json: request,
        });
      } catch (cause) {
        throw unavailable(cause);
      }
      const { status, body } = response;
      if (status === 200) return body;
      const code = CODES.get(status);
      if (code === undefined) throw unavailable(new Error(`auth responded with ${status} to ${operation}`));
      throw new PlatformError(code, detailsOf(body));
    },
  };
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'The request cannot be handled now', { cause });

function detailsOf(body: unknown): string {
  const hasDetails = typeof body === 'object' && body !== null && 'details' in body && typeof body.details === 'string';
  return hasDetails ? String(body.details) : '';
}
