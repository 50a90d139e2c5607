import { anonymousUrlPatternsOf } from './anonymous-url-patterns.ts';

const patternsWith = (explorerClient: string) =>
  anonymousUrlPatternsOf({
    platform: { anonymousUrlPatterns: ['/a'], resourceServerAnonymousUrlPatterns: ['/b'], explorerClient },
    paths: { basePath: '/rest', docsPath: '/docs' },
  });

test('the page of the explorer and its files need no token if it has a client; its document does', () => {
  expect(patternsWith('explorer')).toEqual(['/a', '/b', '/rest/docs', '/rest/docs/explorer/*']);
  expect(patternsWith('none')).toEqual(['/a', '/b']);
});
