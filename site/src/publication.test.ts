import { readPublication } from './publication.ts';

test('without settings the site is at the root of its server, and no file of the repository has an address', () => {
  expect(readPublication({})).toEqual({ base: '/', url: '/', repository: undefined, files: undefined });
});

test('paths get their slashes, and files their revision', () => {
  expect(
    readPublication({
      LINTEL_SITE_BASE: '/lintel',
      LINTEL_SITE_URL: 'https://docs.example/lintel',
      LINTEL_SITE_REPOSITORY: 'https://git.example/lintel',
      LINTEL_SITE_REVISION: 'abc',
    }),
  ).toEqual({
    base: '/lintel/',
    url: 'https://docs.example/lintel/',
    repository: 'https://git.example/lintel',
    files: 'https://git.example/lintel/blob/abc',
  });
});
