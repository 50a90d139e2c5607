import { redirectProblem } from './redirect-problem.ts';

// Asserts contract/clients.md#redirects.
test.each([
  'https://shop.example/callback',
  'https://shop.example:8443/callback?tenant=1',
  'http://127.0.0.1/callback',
  'http://localhost:4711/callback',
  'http://[::1]/callback',
  'com.example.shop:/callback',
])('%s is allowed', (uri) => {
  expect(redirectProblem(uri)).toBeUndefined();
});

// Asserts contract/clients.md#redirects.
test.each([
  ['/callback', /absolute URL/],
  ['shop.example/callback', /absolute URL/],
  ['https://shop.example/call back', /absolute URL/],
  ['https://shop.example\\@evil.example/', /absolute URL/],
  [`https://shop.example/${'a'.repeat(2_000)}`, /at most 2000/],
  ['https://shop.example/#part', /fragment/],
  ['https://shop.example/#', /fragment/],
  ['https://*.shop.example/', /wildcard/],
  ['https://shop.example@evil.example/', /user or password/],
  ['http://shop.example/callback', /https/],
  ['http://127.0.0.1.evil.example/', /https/],
  ['javascript:alert(1)', /scheme/],
  ['data:text/html,x', /scheme/],
  ['file:///etc/passwd', /scheme/],
  ['shop:/callback', /scheme/],
])('%s is refused', (uri, problem) => {
  expect(redirectProblem(uri)).toMatch(problem);
});
