import { attemptSignal } from '../connection/attempt-signal.ts';
import { NetworkError } from '../errors/lintel-error.ts';
import { readError } from '../errors/read-error.ts';
import { type ErrorResponse, RestError } from '../errors/rest-error.ts';
import type { AbortSignalLike, FetchLike } from '../platform.ts';

/** The OAuth client of the application, and its server. */
export interface TokenClient {
  /** `https://api.example.com`, without a path. */
  readonly baseUrl: string;
  /** Id of the OAuth client. */
  readonly clientId: string;
  /** Only for clients that can keep a secret: servers and scripts. */
  readonly clientSecret?: string | undefined;
  /** How long the token endpoint may take; 30 s by default. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the `fetch` of the platform. */
  readonly fetch?: FetchLike | undefined;
}

/** The response of the token endpoint. */
export interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/** The token endpoint has refused; `oauthError` is `invalid_grant` for a wrong password or an ended login. */
export class LoginError extends RestError {
  override readonly name: string = 'LoginError';
  /** The error code of OAuth: `invalid_grant`, `mfa_required`, … */
  readonly oauthError: string;

  constructor(response: ErrorResponse) {
    super(response);
    this.oauthError = response.error;
  }
}

/** Sends a form to an OAuth endpoint, with the credentials of the client. */
export async function postForm(
  client: TokenClient,
  path: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignalLike,
): Promise<unknown> {
  const { baseUrl, clientId, clientSecret, timeoutMs = 30_000 } = client;
  const basic =
    clientSecret === undefined
      ? undefined
      : btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  const timing = attemptSignal(signal, timeoutMs);
  try {
    const response = await (client.fetch ?? (fetch as unknown as FetchLike))(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(basic !== undefined && { authorization: `Basic ${basic}` }),
      },
      body: String(new URLSearchParams({ ...form, ...(basic === undefined && { client_id: clientId }) })),
      signal: timing.signal,
      // Another server must not get the credentials.
      redirect: 'error',
    });
    const text = await response.text();
    if (!response.ok) throw new LoginError(readError(response, text));
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof RestError || signal?.aborted === true) throw error;
    throw timing.signal.aborted
      ? timing.signal.reason
      : new NetworkError(`POST ${path}: ${(error as Error).message}`, error);
  } finally {
    timing.release();
  }
}

/** Tokens for a grant. */
export const requestTokens = (client: TokenClient, form: Readonly<Record<string, string>>): Promise<TokenResponse> =>
  postForm(client, '/oauth2/token', form) as Promise<TokenResponse>;
