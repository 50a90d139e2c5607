import { loginRefused } from './refusals.ts';

describe('refused logins', () => {
  test.each([
    ['bad-credentials', 'Bad credentials'],
    ['disabled', 'User is disabled'],
    ['locked', 'User account is locked'],
  ] as const)('%s says "%s" at both endpoints', (refusal, text) => {
    expect(loginRefused('oauth', refusal)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: text },
    });
    expect(loginRefused('oauth2', refusal).body).toEqual({
      error: 'invalid_grant',
      error_description: text,
      error_uri: 'https://datatracker.ietf.org/doc/html/rfc6749#section-5.2',
    });
  });
});
