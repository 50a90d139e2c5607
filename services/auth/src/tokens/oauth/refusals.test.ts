import { loginRefused } from './refusals.ts';

describe('refused logins', () => {
  // Asserts contract/tokens.md#oauth-errors, contract/tokens.md#oauth2-errors.
  test.each([
    ['bad-credentials', 'Bad credentials'],
    ['disabled', 'User is disabled'],
    ['locked', 'User account is locked'],
  ] as const)('%s says "%s" at both endpoints', (refusal, text) => {
    expect(loginRefused('oauth', refusal, undefined)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: text },
    });
    expect(loginRefused('oauth2', refusal, undefined).body).toEqual({
      error: 'invalid_grant',
      error_description: text,
      error_uri: 'https://datatracker.ietf.org/doc/html/rfc6749#section-5.2',
    });
  });

  // Asserts contract/tokens.md#oauth-errors.
  test.each([
    ['de-AT, en;q=0.5', 'Benutzername oder Passwort ist falsch'],
    ['zh-cn', '用户名或密码错误'],
    ['fr', 'Bad credentials'],
  ])('are described in the language of Accept-Language: %s', (acceptLanguage, text) => {
    expect(loginRefused('oauth', 'bad-credentials', acceptLanguage).body).toEqual({
      error: 'invalid_grant',
      error_description: text,
    });
  });
});
