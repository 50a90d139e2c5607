import { endSessionsResponseSchema, loginHistoryResponseSchema, userSessionsResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createServiceClient } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { UserSessions } from './user-sessions.ts';

export interface HttpUserSessionsOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  readonly metrics?: Metrics | undefined;
}

const TIMEOUT_MS = 5_000;

/**
 * Sends requests to the internal listener of auth.
 *
 * @param failure what cannot be done while auth is unavailable
 */
export function postToAuth(
  { authInternalUrls, internalSecret, metrics }: HttpUserSessionsOptions,
  failure: string,
): (path: string, json: object) => Promise<unknown> {
  const auth = createServiceClient(authInternalUrls, { service: 'auth', timeoutMs: TIMEOUT_MS, metrics });
  return async (path, json) => {
    try {
      const { status, body } = await auth.sendJson(path, { method: 'POST', token: internalSecret, json });
      if (status === 200) return body;
      throw new Error(`auth responded with ${status} to ${path}`);
    } catch (cause) {
      throw new PlatformError('AUTH_UNAVAILABLE', failure, { cause });
    }
  };
}

/** Calls `POST /internal/user-sessions` of auth. */
export function createHttpUserSessions(options: HttpUserSessionsOptions): UserSessions {
  const post = postToAuth(options, 'Sessions cannot be read or ended now');
  return {
    list: async (username) =>
      userSessionsResponseSchema.parse(await post('/internal/user-sessions', { username })).sessions,
    end: async (request) => endSessionsResponseSchema.parse(await post('/internal/user-sessions/end', request)).ended,
    history: async (request) =>
      loginHistoryResponseSchema.parse(await post('/internal/user-sessions/history', request)).attempts,
  };
}
