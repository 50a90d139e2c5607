import type { Client } from '../../clients/client.ts';

/** Maximum time that a session is kept after login or refresh; later the next refresh rebuilds it. */
const MAX_SESSION_TTL_MS = 30 * 24 * 3_600_000;
/** Lifetime of a session whose client is no longer registered. */
const UNKNOWN_CLIENT_TTL_MS = 12 * 3_600_000;
/** A session outlives the access tokens that name it. */
const MARGIN_MS = 60_000;

/** Lifetime of the session of a client-credentials token. */
export const clientSessionTtlMs = (client: Client | undefined): number =>
  client === undefined ? UNKNOWN_CLIENT_TTL_MS : client.accessTokenTtlMs + MARGIN_MS;

/** Lifetime of the session of a login. */
export const sessionTtlMs = (client: Client | undefined): number =>
  client === undefined
    ? UNKNOWN_CLIENT_TTL_MS
    : Math.max(client.accessTokenTtlMs + MARGIN_MS, Math.min(client.refreshTokenTtlMs, MAX_SESSION_TTL_MS));
