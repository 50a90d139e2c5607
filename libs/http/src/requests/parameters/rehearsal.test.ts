import { isRehearsal, refuseRehearsal } from './rehearsal.ts';

const request = (method: string, url: string, prefer?: string) => ({
  method,
  url,
  headers: prefer === undefined ? {} : { prefer },
});

test.each([
  ['POST', '/a', 'tx=rollback', true],
  ['DELETE', '/a', 'return=minimal, TX="rollback"', true],
  ['PATCH', '/a?dryRun=true', undefined, true],
  ['PUT', '/a?dryRun=false', undefined, false],
  ['PUT', '/a?dry%52un=tru%65', undefined, true],
  ['PUT', '/a?sort=b?&dryRun=true', undefined, true],
  ['POST', '/a', 'tx=commit', false],
  ['POST', '/a?other=dryRun', undefined, false],
  ['GET', '/a?dryRun=true', 'tx=rollback', false],
])('whether %s %s with the preference %s is a rehearsal: %s', (method, url, prefer, expected) => {
  expect(isRehearsal(request(method, url, prefer))).toBe(expected);
});

test.each(['/a?dryRun=yes', '/a?dryRun', '/a?dryRun=true&dryRun=1'])(
  'another value of the parameter is refused: %s',
  (url) => {
    expect(() => isRehearsal(request('POST', url))).toThrow("Parameter 'dryRun' must be true or false");
  },
);

test('another value of the preference is refused, unless the preference may be the own one of an application', () => {
  const sent = request('POST', '/a', 'return=minimal, tx=rolback');
  expect(() => isRehearsal(sent)).toThrow("Preference 'tx' must be rollback or commit");
  expect(isRehearsal(sent, true)).toBe(false);
});

test('GET of the application may write, so that its rehearsal is refused', () => {
  expect(() => refuseRehearsal(request('GET', '/a', 'tx=rollback'), true)).toThrow('cannot be rehearsed');
  expect(() => refuseRehearsal(request('GET', '/a', 'tx=rollback'))).not.toThrow();
});

test('a parameter of the application with the same name does not count, the preference does', () => {
  expect(isRehearsal(request('POST', '/a?dryRun=yes'), true)).toBe(false);
  expect(() => refuseRehearsal(request('POST', '/a?dryRun=true'), true)).not.toThrow();
  expect(() => refuseRehearsal(request('POST', '/a', 'tx=rollback'), true)).toThrow('cannot be rehearsed');
});
