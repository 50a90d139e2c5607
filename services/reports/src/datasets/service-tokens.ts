import { type ServiceTokenRequest, type ServiceTokenResponse, serviceTokenResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createServiceClient, type JsonResponse, type ServiceClient } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { RunToken } from './dataset-client.ts';

/** Requests tokens from auth by which this service acts for a caller. */
export interface ServiceTokenSource {
  /**
   * Returns the tokens of one run, fetched on demand and renewed during the run.
   *
   * @param subjectToken the caller's JWT
   */
  forRun(subjectToken: string, run: string): RunToken;
  /**
   * Returns a token for a run in the background, valid for a day, which replaces the caller's in `forRun`.
   *
   * @throws AUTH_INVALID_TOKEN, AUTH_UNAVAILABLE
   */
  forLater(subjectToken: string, run: string): Promise<string>;
}

export interface ServiceTokenOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly secret: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly metrics?: Metrics | undefined;
}

/** A token is renewed when it has less than this left. */
const RENEW_BEFORE_EXPIRY_MS = 30_000;

/** Fetches tokens from `POST /internal/service-tokens`. */
export function createServiceTokenSource(options: ServiceTokenOptions): ServiceTokenSource {
  const { authInternalUrls, timeoutMs, metrics } = options;
  const auth = createServiceClient(authInternalUrls, { service: 'auth', timeoutMs, metrics });
  return {
    forRun(subjectToken, run) {
      let current: Promise<ServiceTokenResponse> | undefined;
      return async () => {
        const previous = await current;
        if (previous !== undefined && previous.expiresAt * 1000 - options.clock.now() > RENEW_BEFORE_EXPIRY_MS)
          return previous.jwt;
        const request: ServiceTokenRequest = { subjectToken: previous?.jwt ?? subjectToken, actor: 'reports', run };
        const fetched = fetchToken(auth, options.secret, request);
        current = fetched.catch((error: unknown) => {
          current = undefined;
          throw error;
        });
        return (await current).jwt;
      };
    },
    async forLater(subjectToken, run) {
      const request: ServiceTokenRequest = { subjectToken, actor: 'reports', run, use: 'later' };
      return (await fetchToken(auth, options.secret, request)).jwt;
    },
  };
}

async function fetchToken(
  auth: ServiceClient,
  secret: string,
  request: ServiceTokenRequest,
): Promise<ServiceTokenResponse> {
  let response: JsonResponse;
  try {
    response = await auth.sendJson('/internal/service-tokens', { method: 'POST', token: secret, json: request });
  } catch (cause) {
    throw unavailable(cause);
  }
  if (response.status === 200) return serviceTokenResponseSchema.parse(response.body);
  // 400 and 401 both mean that the caller's session has ended or the user was disabled.
  if (response.status === 400 || response.status === 401)
    throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
  throw unavailable(new Error(`auth returned ${response.status}`));
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'The caller cannot be verified now', { cause });
