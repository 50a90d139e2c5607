import { clientTokenBody, secondsLeft, userTokenBody } from './token-response.ts';

describe('expires_in', () => {
  // Asserts contract/tokens.md#response.
  test.each([
    ['at the very moment of issue', 1_000_000, 43_199],
    ['a millisecond later', 1_000_001, 43_199],
    ['just before the next second', 1_000_999, 43_199],
    ['a second later', 1_001_000, 43_198],
    ['at its end', 44_200_000, 0],
    ['after its end', 99_000_000, 0],
  ])('is rounded down %s', (_moment, nowMs, left) => {
    expect(secondsLeft(1_000 + 43_200, nowMs)).toBe(left);
  });
});

describe('bodies', () => {
  // Asserts contract/decisions.md#45, contract/tokens.md#response.
  test('have their members in the order of the contract', () => {
    const response = { accessToken: 'a', refreshToken: 'r', expiresAt: 3_600, scope: 'rest-api', sessionId: 'S' };
    expect(userTokenBody(response, 0)).toBe(
      '{"access_token":"a","token_type":"bearer","refresh_token":"r","expires_in":3599,"scope":"rest-api","OAuth2.SESSION_ID":"S"}',
    );
    expect(clientTokenBody('a', 3_600, 0)).toBe('{"access_token":"a","token_type":"Bearer","expires_in":3599}');
  });

  // Asserts contract/tokens.md#response.
  test('leave the refresh token out where the client may not refresh', () => {
    const response = { accessToken: 'a', refreshToken: undefined, expiresAt: 3_600, scope: 's', sessionId: 'S' };
    expect(JSON.parse(userTokenBody(response, 0))).not.toHaveProperty('refresh_token');
  });
});
