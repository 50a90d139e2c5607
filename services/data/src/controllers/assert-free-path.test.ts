import { controller } from '@lintel/application';
import { assertFreePaths } from './assert-free-path.ts';

const check = (path: string) => () =>
  assertFreePaths([controller('GET', path, () => ({}))], '/rest', ['/entities', '/version']);

test.each([
  ['/rest/entities/x', 'lies in /rest/entities'],
  ['/rest/version', 'lies in /rest/version'],
  ['/rest/reports/mine', 'lies in /rest/reports'],
  ['/oauth/token', 'lies in /oauth'],
  ['/rest', 'would hide paths of the platform'],
  ['/rest/:anything', 'would hide paths of the platform'],
  ['/:anything', 'would hide paths of the platform'],
])('a controller with a path of the platform stops the start: %s', (path, message) => {
  expect(check(path)).toThrow(message);
});

test('other paths below and outside of the API are accepted', () => {
  for (const path of ['/rest/shop', '/rest/entities2', '/outside/:name', '/oauths']) expect(check(path)).not.toThrow();
});
