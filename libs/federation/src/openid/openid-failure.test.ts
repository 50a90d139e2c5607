import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { toProviderFailure } from '../providers/provider-failure.ts';

const bodyError = (error: string) =>
  new ResponseBodyError('the provider responded with an error', {
    cause: { error, error_description: 'the secret of grace' },
    response: new Response(null, { status: 401 }),
  });

test('the reason is the error of OAuth that the provider reports', () => {
  const failure = toProviderFailure(bodyError('invalid_client'));
  expect([failure.kind, failure.message]).toEqual(['refused', 'invalid_client']);
  const cancelled = new AuthorizationResponseError('the provider responded with an error', {
    cause: new URLSearchParams({ error: 'access_denied' }),
  });
  expect(toProviderFailure(cancelled).message).toBe('access_denied');
});

test.each([
  ['has other characters', 'invalid\nclient'],
  ['is long', 'x'.repeat(65)],
])('an error that %s is not in the reason', (_case, error) => {
  expect(toProviderFailure(bodyError(error)).message).toBe('OAUTH_RESPONSE_BODY_ERROR');
});
