import { createStepUp, type StepUpRequest, type StepUpRule } from './step-up.ts';

const NOW = 1_800_000_000;
const TWO = 'urn:lintel:acr:2fa';
const RULE: StepUpRule = {
  'url-patterns': ['/rest/services/pay/**'],
  methods: [],
  'resource-roles': [],
  'required-acr': TWO,
};
const CALLER: StepUpRequest['caller'] = { kind: 'user', acr: TWO, authTime: NOW - 100, resourceRoles: ['clerk'] };

function challengeOf(request: Partial<StepUpRequest>, rule: Partial<StepUpRule> = {}): string | undefined {
  const stepUp = createStepUp([{ ...RULE, ...rule }], () => NOW * 1_000);
  try {
    stepUp({ method: 'POST', path: '/rest/services/pay/send?x=1', caller: CALLER, ...request });
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'AUTH_STEP_UP_REQUIRED', status: 401 });
    return (error as { headers: Record<string, string> }).headers['WWW-Authenticate'];
  }
}
const caller = (more: Partial<StepUpRequest['caller']>) => ({ caller: { ...CALLER, ...more } });
const weak = caller({ acr: 'urn:lintel:acr:1fa' });

// Asserts contract/tokens.md#step-up.
test('a login with one factor is refused with what it needs', () => {
  expect(challengeOf(weak, { 'max-age': 300_000 })).toBe(
    'Bearer realm="oauth2-resource", error="insufficient_user_authentication", error_description="A stronger or newer login is required", acr_values="urn:lintel:acr:2fa", max_age="300"',
  );
});

// Asserts contract/tokens.md#step-up.
test.each<[string, Partial<StepUpRequest>, Partial<StepUpRule>]>([
  ['two factors', {}, {}],
  ['two factors in time', {}, { 'max-age': 100_000 }],
  ['another path', { ...weak, path: '/rest/services/payment' }, {}],
  ['another method', { ...weak, method: 'GET' }, { methods: ['POST'] }],
  ['a GET where HEAD is named', { ...weak, method: 'GET' }, { methods: ['HEAD'] }],
  ['a user without the role', weak, { 'resource-roles': ['admin'] }],
  ['a client', caller({ kind: 'client', acr: undefined, authTime: undefined }), {}],
])('%s is enough', (_case, request, rule) => {
  expect(challengeOf(request, rule)).toBeUndefined();
});

// Asserts contract/tokens.md#step-up.
test.each<[string, Partial<StepUpRequest>, Partial<StepUpRule>]>([
  ['an unknown strength', caller({ acr: undefined }), {}],
  ['a value of another server', caller({ acr: 'gold' }), {}],
  ['an older login', caller({ authTime: NOW - 101 }), { 'max-age': 100_000 }],
  ['an unknown time', caller({ authTime: undefined }), { 'max-age': 100_000 }],
  ['a user with the role', weak, { 'resource-roles': ['clerk'] }],
  ['a call without a token', caller({ kind: 'anonymous', acr: undefined }), {}],
  ['a HEAD where GET is named', { ...weak, method: 'HEAD' }, { methods: ['GET'] }],
  ['a path in other case', { ...weak, path: '/rest/Services/Pay/send' }, {}],
  ['a path with escapes', { ...weak, path: '/rest/services/%70ay/send' }, {}],
  ['an encoded slash', { ...weak, path: '/rest/services/pay/a%2Fb' }, {}],
  ['a parameter in the path', { ...weak, path: '/rest/services/pay/send;x=1' }, {}],
  ['a path that ends with a slash', { ...weak, path: '/rest/services/pay/' }, {}],
  ['doubled slashes', { ...weak, path: '//rest//services/pay/send' }, {}],
])('%s is not', (_case, request, rule) => {
  expect(challengeOf(request, rule)).toContain('insufficient_user_authentication');
});
