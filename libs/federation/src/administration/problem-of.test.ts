import { FoundProblem, problemOf } from './problem-of.ts';

const coded = (code: string, cause?: unknown) => Object.assign(new Error('secret text', { cause }), { code });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

// Asserts contract/operations.md#identity-providers.
test.each([
  ['dns', fetchFailed(coded('ENOTFOUND'))],
  ['dns', coded('EAI_AGAIN')],
  ['connection', fetchFailed(coded('ECONNREFUSED'))],
  ['connection', fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]))],
  ['tls', fetchFailed(coded('ERR_TLS_CERT_ALTNAME_INVALID'))],
  ['tls', fetchFailed(coded('DEPTH_ZERO_SELF_SIGNED_CERT'))],
  ['tls', coded('CERT_HAS_EXPIRED')],
  ['tls', coded('EPROTO')],
  ['timeout', coded('OAUTH_TIMEOUT')],
  ['timeout', fetchFailed(coded('UND_ERR_CONNECT_TIMEOUT'))],
  ['timeout', new DOMException('x', 'TimeoutError')],
  ['status', new Error('x', { cause: new Response(null, { status: 404 }) })],
  ['file', coded('ENOENT')],
  ['issuer', new Error('x', { cause: new FoundProblem('issuer', 'another issuer') })],
  ['other', new Error('secret text')],
  ['other', 'secret text'],
  ['other', undefined],
] as const)('%s is recognized, and texts of errors are not shown', (code, error) => {
  const problem = problemOf(error, 'login.example');
  expect(problem.code).toBe(code);
  expect(problem.message).not.toContain('secret text');
});

test('a ring of causes ends', () => {
  const error = new Error('x');
  error.cause = error;
  expect(problemOf(error, 'login.example').code).toBe('other');
});
