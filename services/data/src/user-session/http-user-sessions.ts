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

/** Calls `POST /internal/user-sessions` of auth. */
export function createHttpUserSessions({
  authInternalUrls,
  internalSecret,
  metrics,
}: HttpUserSessionsOptions): UserSessions {
  const auth = createServiceClient(authInternalUrls, { service: 'auth', timeoutMs: TIMEOUT_MS, metrics });
  const post = async (path: string, json: object): Promise<unknown> => {
    try {
      const { status, body } = await auth.sendJson(path, { method: 'POST', token: internalSecret, json });
      if (status === 200) return body;
      throw new Error(`auth responded with ${status} to ${path}`);
    } catch (cause) {
      throw new PlatformError('AUTH_UNAVAILABLE', 'Sessions cannot be read or ended now', { cause });
    }
  };
  return {
    list: async (username) =>
      userSessionsResponseSchema.parse(await post('/internal/user-sessions', { username })).sessions,
    end: async (request) => endSessionsResponseSchema.parse(await post('/internal/user-sessions/end', request)).ended,
    history: async (request) =>
      loginHistoryResponseSchema.parse(await post('/internal/user-sessions/history', request)).attempts,
  };
}
