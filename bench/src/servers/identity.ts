import { type AccessClaims, AUDIENCE_REST, type Session } from '@lintel/contracts';

export const ISSUER = 'http://gateway.localhost';

const LIFE_SECONDS = 3 * 3_600;

/** Claims of the JWT of a session, as auth signs them. */
export function claimsOf(sessionId: string): AccessClaims {
  const iat = Math.floor(Date.now() / 1000);
  const caller = { sub: 'admin', client_id: 'client', sid: sessionId, scope: 'rest-api' };
  return { iss: ISSUER, aud: AUDIENCE_REST, iat, exp: iat + LIFE_SECONDS, jti: 'bench', ...caller };
}

/** The session of the caller: the user `admin` of the demo, who may do everything. */
export const sessionOf = (id: string): Session => ({
  id,
  username: 'admin',
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: ['system-full-access'],
  rowLevelRoles: [],
  locale: null,
  attributes: { firstName: 'Ada', lastName: 'Lindqvist' },
  createdAt: '2026-01-01T00:00:00Z',
});
