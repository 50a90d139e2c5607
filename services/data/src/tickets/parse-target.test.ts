import { parseTarget } from './parse-target.ts';

const PATHS = ['/rest/files', '/rest/reports', '/rest/changes'];
const parsed = (url: unknown, method?: unknown) =>
  parseTarget({ url, ...(method === undefined ? {} : { method }) } as Parameters<typeof parseTarget>[0], PATHS);

test.each([
  ['/rest/files?fileRef=fs%3A%2F%2Fa', undefined],
  ['/rest/files', undefined],
  ['/rest/changes/sales_Order?lastEventId=x', undefined],
  ['/rest/files?fileRef=fs://2026/11/25/a b.txt', '/rest/files?fileRef=fs://2026/11/25/a%20b.txt'],
  [`/rest/files?fileRef='ü"`, '/rest/files?fileRef=%27%C3%BC%22'],
  ['/rest/x/../files/./?a', '/rest/files/?a'],
])('%s is the target that a browser sends', (url, normalized) => {
  expect(parsed(url)).toEqual({ method: 'GET', url: normalized ?? url });
  expect(parsed(url, 'HEAD').method).toBe('HEAD');
  // What a browser sends for it is the same again.
  expect(parsed(parsed(url).url)).toEqual(parsed(url));
});

// Asserts contract/tokens.md#tickets.
test.each([
  ['/rest/entities/sales_Order', /must begin with one of \/rest\/files, /],
  ['/rest/filesX', /must begin with one of/],
  ['/rest/files/../entities/x', /must begin with one of/],
  ['/rest/files/%2e%2e/entities/x', /must begin with one of/],
  ['/rest/files#a', /without host and fragment/],
  ['//rest/files', /without host and fragment/],
  ['/\\host/rest/files', /without host and fragment/],
  ['https://host/rest/files', /must be a path with its query/],
  ['rest/files', /must be a path with its query/],
  ['', /must be a path with its query/],
  [undefined, /must be a path with its query/],
  [5, /must be a path with its query/],
  [`/rest/files?${'x'.repeat(8_000)}`, /of at most 8000 characters/],
  [`/rest/files?${'ü'.repeat(3_000)}`, /more than 8000 characters/],
  ['/rest/files?ticket=x', /must not have the parameter 'ticket'/],
  ['/rest/files?a=1&access%5Ftoken=x', /must not have the parameter 'access_token'/],
])('%s is refused', (url, details) => {
  expect(() => parsed(url)).toThrow(
    expect.objectContaining({ code: 'REQ_INVALID_PARAMETER', details: expect.stringMatching(details) }),
  );
});

// Asserts contract/tokens.md#tickets.
test.each(['POST', 'get', '', null, ['GET']])('the method %j is refused', (method) => {
  expect(() => parsed('/rest/files', method)).toThrow(
    expect.objectContaining({ details: "'method' must be GET or HEAD" }),
  );
});
