import { type ServiceTokenRequest, type ServiceTokenResponse, serviceTokenResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createReplicaCaller } from '@lintel/http';
import { traceHeaders } from '@lintel/telemetry';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../clock.ts';
import type { RunToken } from './dataset-client.ts';

/** Asks auth for tokens that let this service act for a caller. */
export interface ServiceTokenSource {
  /**
   * The tokens of one run, fetched when first needed and renewed while the run lives.
   *
   * @param subjectToken the caller's JWT
   */
  forRun(subjectToken: string, run: string): RunToken;
  /**
   * A token for a run that waits, good for a day, which stands for the caller's in `forRun` then.
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
}

/** A token is renewed when it has less than this left. */
const RENEWED_BEFORE_MS = 30_000;

/** Fetches tokens from `POST /internal/service-tokens`. */
export function createServiceTokenSource(options: ServiceTokenOptions): ServiceTokenSource {
  const callReplica = createReplicaCaller(options.authInternalUrls);
  return {
    forRun(subjectToken, run) {
      let current: Promise<ServiceTokenResponse> | undefined;
      return async () => {
        const held = await current;
        if (held !== undefined && held.expiresAt * 1000 - options.clock.now() > RENEWED_BEFORE_MS) return held.jwt;
        const asked: ServiceTokenRequest = { subjectToken: held?.jwt ?? subjectToken, actor: 'reports', run };
        const fetched = callReplica((url) => fetchToken(url, options, asked));
        current = fetched.catch((error: unknown) => {
          current = undefined;
          throw error;
        });
        return (await current).jwt;
      };
    },
    async forLater(subjectToken, run) {
      const asked: ServiceTokenRequest = { subjectToken, actor: 'reports', run, use: 'later' };
      return (await callReplica((url) => fetchToken(url, options, asked))).jwt;
    },
  };
}

async function fetchToken(
  url: string,
  options: ServiceTokenOptions,
  body: ServiceTokenRequest,
): Promise<ServiceTokenResponse> {
  let answer: Dispatcher.ResponseData;
  try {
    answer = await request(`${url}/internal/service-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.secret}`, 'content-type': 'application/json', ...traceHeaders() },
      body: JSON.stringify(body),
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
  } catch (cause) {
    throw unavailable(cause);
  }
  if (answer.statusCode === 200) return serviceTokenResponseSchema.parse(await answer.body.json());
  await answer.body.dump();
  // 400 and 401 both say that the caller's session has ended or the user was disabled.
  if (answer.statusCode === 400 || answer.statusCode === 401)
    throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
  throw unavailable(new Error(`auth answered ${answer.statusCode}`));
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'The caller cannot be verified now', { cause });
