import { anonymousUrlPatternsOf } from './anonymous-url-patterns.ts';

const patternsWith = (explorerClient: string | undefined, consoleEnabled = false) =>
  anonymousUrlPatternsOf({
    platform: {
      anonymousUrlPatterns: ['/a'],
      resourceServerAnonymousUrlPatterns: ['/b'],
      explorerClient,
      consoleEnabled,
    },
    paths: { basePath: '/rest', docsPath: '/docs' },
  });

// Asserts contract/api-documents.md#explorer.
test('the page of the explorer and its files need no token if it has a client; its document does', () => {
  expect(patternsWith('explorer')).toEqual(['/a', '/b', '/rest/docs', '/rest/docs/explorer/*']);
  expect(patternsWith(undefined, true)).toEqual(patternsWith('explorer'));
  expect(patternsWith('none', true)).toEqual(['/a', '/b']);
  expect(patternsWith(undefined)).toEqual(['/a', '/b']);
});
