import { cases, fc } from '@lintel/testkit/properties';
import { takeTokenParameter } from './token-parameter.ts';

test.each([
  ['/x', '/x', undefined],
  ['/x?', '/x?', undefined],
  ['/x?access_token=a', '/x', 'a'],
  ['/x?a=%zz&access%5ftoken=a%2Bb+c', '/x?a=%zz', 'a+b c'],
  ['/x?access_token', '/x', ''],
  ['/x?ACCESS_TOKEN=a', '/x?ACCESS_TOKEN=a', undefined],
  ['/x?b=access_token=a', '/x?b=access_token=a', undefined],
])('%s becomes %s with the token %j', (url, expected, token) => {
  expect(takeTokenParameter(url)).toEqual({ url: expected, token });
});

test('a second token is removed as well, and is an error', () => {
  expect(takeTokenParameter('/x?access_token=a&access%5Ftoken=b&c=d')).toMatchObject({
    url: '/x?c=d',
    error: { status: 400, details: "Parameter 'access_token' must be given once" },
  });
});

// Asserts contract/tokens.md#token-location.
test('wherever the parameter stands, the token is found, the rest keeps its bytes, and no token remains', () => {
  const pair = fc.stringMatching(/^[a-z0-9%=+._~-]{0,8}$/).filter((text) => !text.includes('access'));
  fc.assert(
    fc.property(
      fc.array(pair),
      fc.array(pair),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      (before, after, token) => {
        const encoded = encodeURIComponent(token);
        const url = `/rest/x?${[...before, `access_token=${encoded}`, ...after].join('&')}`;
        const taken = takeTokenParameter(url);
        const rest = [...before, ...after];
        expect(taken).toEqual({ url: rest.length === 0 ? '/rest/x' : `/rest/x?${rest.join('&')}`, token });
      },
    ),
    cases(500),
  );
});
