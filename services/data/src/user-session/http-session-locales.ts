import type { SessionLocaleRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createReplicaCaller } from '@lintel/http';
import { traceHeaders } from '@lintel/telemetry';
import type { SessionLocales } from './session-locales.ts';

export interface HttpSessionLocalesOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  /** Called with the id of a changed session before the answer: this process must not read what it remembers. */
  readonly onChanged: (sessionId: string) => void;
}

const TIMEOUT_MS = 5_000;

/** Asks `POST /internal/session-locale` of auth. */
export function createHttpSessionLocales(options: HttpSessionLocalesOptions): SessionLocales {
  const { internalSecret, onChanged } = options;
  const callReplica = createReplicaCaller(options.authInternalUrls);
  return {
    async change(sessionId, locale) {
      const status = await callReplica((url) =>
        post(`${url}/internal/session-locale`, internalSecret, { sessionId, locale }),
      );
      if (status === 204) onChanged(sessionId);
      else if (status !== 404) throw unavailable(new Error(`auth answered ${status} to a change of a session`));
      return status === 204;
    },
  };
}

async function post(url: string, secret: string, body: SessionLocaleRequest): Promise<number> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        ...traceHeaders(),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch (cause) {
    throw unavailable(cause);
  }
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'The session cannot be changed now', { cause });
