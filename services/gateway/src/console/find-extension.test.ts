import { findExtension } from './find-extension.ts';

const RESOURCES = new URL('file:///srv/app/resources/');

test.each([
  ['console', 'file:///srv/app/resources/console/'],
  ['../dist/console/', 'file:///srv/app/dist/console/'],
  ['/opt/console', 'file:///opt/console/'],
])('%s is the folder %s', (folder, found) => {
  expect(findExtension(folder, RESOURCES)?.href).toBe(found);
});

test('without the property there is none', () => {
  expect(findExtension(undefined, RESOURCES)).toBeUndefined();
  expect(findExtension('', RESOURCES)).toBeUndefined();
});
