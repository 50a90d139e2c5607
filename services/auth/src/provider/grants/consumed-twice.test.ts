import { PlatformError } from '@lintel/errors';
import { ConsumedError } from '../storage/model-names.ts';
import { authorizationCodeGrant } from './authorization-code-grant.ts';
import { refreshTokenGrant } from './refresh-token-grant.ts';
import type { GrantRequest, TokenGrantDeps } from './token-grant-deps.ts';

/** The grants with a code and a refresh token whose use fails with `failure`, and the grants that were ended. */
function start(failure: Error) {
  const ended: string[] = [];
  const recorded: string[] = [];
  const consume = () => Promise.reject(failure);
  const common = { clientId: 'web', accountId: 'anna', grantId: 'g', isExpired: false, isValid: true, consume };
  const code = { ...common, redirectUri: 'https://app.example/callback' };
  const refreshToken = { ...common, gty: 'password', sid: 's', scope: 'rest-api' };
  const parameters: Record<string, string> = { code: 'c', redirect_uri: code.redirectUri, refresh_token: 'r' };
  class RefreshToken {
    static find = async () => refreshToken;
    save = async () => 'next';
  }
  const deps = {
    provider: { AuthorizationCode: { find: async () => code }, RefreshToken },
    sessions: { endGrant: async (id: string) => void ended.push(id), resume: async () => ({ id: 's' }) },
    reuseIntervalMs: 0,
    grants: {},
    mayRefresh: async () => true,
    security: { record: (name: string) => recorded.push(name), close() {} },
    clock: { now: () => 0 },
  } as unknown as TokenGrantDeps;
  const request = {
    family: 'oauth2',
    client: { clientId: 'web', scopes: ['rest-api'] },
    param: (name: string) => parameters[name],
    context: { oidc: {} },
  } as unknown as GrantRequest;
  return { ended, recorded, deps, request };
}

test.each([
  ['code', authorizationCodeGrant],
  ['refresh token', refreshTokenGrant],
])('a %s that is brought twice ends what came of it', async (_what, grant) => {
  const { ended, recorded, deps, request } = start(new ConsumedError('X'));
  await expect(grant(request, deps)).rejects.toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(ended).toEqual(['g']);
  expect(recorded).toEqual([expect.stringMatching(/\.reused$/)]);
});

test.each([
  ['code', authorizationCodeGrant],
  ['refresh token', refreshTokenGrant],
])('a store that is away ends nobody’s login for a %s: the client may try again', async (_what, grant) => {
  const { ended, deps, request } = start(new PlatformError('DATA_UNAVAILABLE'));
  await expect(grant(request, deps)).rejects.toMatchObject({ status: 503 });
  expect(ended).toEqual([]);
});
