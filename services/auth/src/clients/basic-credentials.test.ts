import { parseBasicHeader } from './basic-credentials.ts';

const encode = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('an Authorization header', () => {
  test.each([
    ['client:secret', 'client', 'secret'],
    ['client:se:cret', 'client', 'se:cret'],
    ['client:', 'client', ''],
    [':secret', '', 'secret'],
    ['grün:geheim', 'grün', 'geheim'],
  ])('with %s has its id and secret', (text, clientId, clientSecret) => {
    expect(parseBasicHeader(encode(text))).toEqual({ kind: 'credentials', clientId, clientSecret });
    expect(parseBasicHeader(encode(text).replace('Basic', 'bAsIc'))).toMatchObject({ clientId });
  });

  // Asserts contract/tokens.md#request.
  test.each(['Basic', 'Basic  ', 'Basic !!!', 'Basic Y2xpZW50', 'Basic a b'])('%j is malformed', (header) => {
    expect(parseBasicHeader(header)).toEqual({ kind: 'malformed' });
  });

  test.each([undefined, '', 'Bearer abc', 'Basically YQ=='])('%j is no client authentication', (header) => {
    expect(parseBasicHeader(header)).toEqual({ kind: 'absent' });
  });
});
