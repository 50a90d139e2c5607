import { readForm } from './form.ts';
import { OAuthFailure } from './oauth-failure.ts';

const FORM = 'application/x-www-form-urlencoded';
const read = (body: string | Buffer, parts: Partial<Parameters<typeof readForm>[0]> = {}) =>
  readForm({ family: 'oauth', contentType: FORM, body: Buffer.from(body), query: '', isHardened: false, ...parts });

describe('forms', () => {
  test('are decoded; an empty parameter is absent', () => {
    const form = read('username=J%C3%B6rg+M&scope=&password=');
    expect(form.get('username')).toBe('Jörg M');
    expect(form.get('scope')).toBeUndefined();
    expect(form.get('password')).toBeUndefined();
    expect(form.has('password')).toBe(true);
  });

  // Asserts contract/tokens.md#oauth2-response, contract/tokens.md#request.
  test('take the query string at /oauth only', () => {
    expect(read('a=1', { query: 'b=2' }).get('b')).toBe('2');
    expect(read('a=1', { query: 'b=2', family: 'oauth2' }).get('b')).toBeUndefined();
  });

  test('take nothing from the query in the hardened profile, and no secret there', () => {
    expect(read('a=1', { query: 'b=2', isHardened: true }).get('b')).toBeUndefined();
    for (const family of ['oauth', 'oauth2'] as const)
      for (const name of ['access_token', 'client_secret', 'password', 'refresh_token', 'token', 'tok%65n'])
        expect(() => read('a=1', { query: `${name}=x`, isHardened: true, family })).toThrow(/in the body only/);
  });

  // Asserts contract/tokens.md#request.
  test('know no secret of a client from the query string, and hand none on', () => {
    expect(read('a=1', { query: 'client_secret=x' }).get('client_secret')).toBeUndefined();
    const form = read('a=1&client_secret=x');
    expect(form.get('client_secret')).toBe('x');
    expect(String(form)).toBe('a=1');
  });

  test('refuse a parameter that is given twice, also once in the query and once in the body', () => {
    expect(() => read('a=1&a=2').get('a')).toThrow(OAuthFailure);
    expect(() => read('a=1', { query: 'a=1' }).get('a')).toThrow(OAuthFailure);
  });

  test('may have a charset and no body', () => {
    expect(read('a=1', { contentType: `${FORM}; charset=UTF-8` }).get('a')).toBe('1');
    expect(read('', { contentType: undefined }).get('a')).toBeUndefined();
  });

  test.each([
    ['JSON', '{}', 'application/json'],
    ['no type', 'a=1', undefined],
    ['a type that only begins like a form', 'a=1', `${FORM}ish`],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0x3d, 0xff]), FORM],
  ])('refuse %s', (_what, body, contentType) => {
    expect(() => read(body, { contentType })).toThrow(OAuthFailure);
  });
});
