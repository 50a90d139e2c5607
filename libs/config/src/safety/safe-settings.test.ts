import { ConfigurationError } from '../configuration-error.ts';
import { defineSettings } from '../declaring/define-settings.ts';
import { setting } from '../declaring/setting.ts';
import { textValue } from '../declaring/values.ts';
import { loadSettings } from '../loading/load-settings.ts';
import { platformSettings } from '../platform-settings.ts';
import { processSources } from '../sources/sources.ts';
import { insecureSecret } from './insecure-secret.ts';
import { INSECURITIES } from './insecurities.ts';
import { isLoopback } from './is-loopback.ts';
import { insecureSettings, type ServiceSafety, safeSettings } from './safe-settings.ts';
import { warnOfInsecurity } from './warn-of-insecurity.ts';

const SECRET = 'fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19';
const base = defineSettings({
  platform: platformSettings,
  host: setting('svc.shop.host', textValue().default('127.0.0.1'), ''),
});
const safetyOf = ({ host }: { readonly host: string }): ServiceSafety => ({ hosts: [host], insecure: [] });
const shape = safeSettings(base, safetyOf);

const load = (properties: Readonly<Record<string, string>>) =>
  loadSettings(shape, processSources({ environment: { 'svc.internal.secret': SECRET, ...properties } }));
function problemsOf(properties: Readonly<Record<string, string>>): readonly string[] {
  try {
    load(properties);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

test.each(['localhost', 'LOCALHOST.', 'api.localhost', '127.0.0.1', '127.3.2.1', '::1', '[::1]'])(
  '%s is loopback',
  (host) => expect(isLoopback(host)).toBe(true),
);
test.each(['0.0.0.0', '::', '10.0.0.1', 'example.com', 'localhost.example.com', '127.0.0.1.example.com', '1127.0.0.1'])(
  '%s is not loopback',
  (host) => expect(isLoopback(host)).toBe(false),
);

test('insecure settings are accepted where only this machine can reach the service', () => {
  expect(problemsOf({ 'svc.internal.secret': 'a' })).toEqual([]);
  expect(problemsOf({ 'svc.internal.secret': 'a', 'svc.authserver.issuer': 'http://127.0.0.1:8080' })).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['a listener', { 'svc.shop.host': '0.0.0.0' }],
  ['the public address', { 'svc.authserver.issuer': 'https://api.example.com' }],
])('a service that can be reached by %s names each insecure setting, what to set and how to allow it', (_, exposed) => {
  const problems = problemsOf({ ...exposed, 'svc.internal.secret': 'a' });
  expect(problems).toEqual([
    expect.stringMatching(
      /^svc\.internal\.secret: has fewer than 32 characters; set SVC_INTERNAL_SECRET.*=short-secrets allows it$/,
    ),
    expect.stringMatching(/^svc\.security\.profile: .* set it to hardened\. .*=compatible-profile allows it$/),
  ]);
  expect(problemsOf({ ...exposed, 'svc.security.profile': 'hardened' })).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['NODE_ENV=production', { NODE_ENV: 'production' }],
  ['the hardened profile', { 'svc.security.profile': 'hardened' }],
])('with %s published secrets are refused on this machine, too', (_, strict) => {
  const values = { ...strict, 'svc.internal.secret': 'secret' };
  expect(problemsOf(values)).toEqual([
    expect.stringMatching(/^svc\.internal\.secret: the value is a published example.*=default-secrets allows it$/),
  ]);
  expect(problemsOf({ ...values, 'svc.security.allow-insecure': 'default-secrets' })).toEqual([]);
  expect(problemsOf({ ...values, 'svc.internal.secret': 'a' })).toEqual([]);
});

test('NODE_ENV can be overridden by the property', () => {
  const values = { NODE_ENV: 'production', 'svc.security.production': 'false', 'svc.internal.secret': 'secret' };
  expect(problemsOf(values)).toEqual([]);
});

test('an issuer without TLS is refused, except on this machine', () => {
  const hardened = { 'svc.shop.host': '0.0.0.0', 'svc.security.profile': 'hardened' };
  expect(problemsOf({ ...hardened, 'svc.authserver.issuer': 'http://api.example.com' })).toEqual([
    expect.stringMatching(/^svc\.authserver\.issuer: .*http:\/\/api\.example\.com .*=http-issuer allows it$/),
  ]);
  expect(problemsOf({ ...hardened, 'svc.authserver.issuer': 'http://localhost:8080' })).toEqual([]);
});

const logOf = (insecurity: string, property: string) =>
  expect.objectContaining({ insecurity, problem: expect.stringContaining(`${property}: `) });

test('what is allowed by name is accepted and logged; the rest is refused', () => {
  const insecure = { 'svc.shop.host': '0.0.0.0', 'svc.internal.secret': 'a' };
  expect(problemsOf({ ...insecure, 'svc.security.allow-insecure': 'short-secrets' })).toEqual([
    expect.stringContaining('svc.security.profile'),
  ]);
  const config = load({ ...insecure, 'svc.security.allow-insecure': 'short-secrets, Compatible_Profile' });
  const logged: unknown[] = [];
  const log = { warn: (fields: object, message: string) => void logged.push([fields, message]) };
  const options: unknown[] = [];
  warnOfInsecurity(insecureSettings(config, safetyOf), {
    child(...given) {
      options.push(given);
      return log;
    },
  });
  expect(options).toEqual([[{}, { everyLevel: true }]]);
  expect(logged).toEqual([
    [logOf('short-secrets', 'svc.internal.secret'), 'an insecure setting is accepted'],
    [logOf('compatible-profile', 'svc.security.profile'), 'an insecure setting is accepted'],
  ]);
});

test('an insecurity that does not exist cannot be allowed', () => {
  expect(problemsOf({ 'svc.security.allow-insecure': 'everything' })).toEqual([
    expect.stringContaining(`some of ${INSECURITIES.join(', ')}`),
  ]);
});

test('the rule goes with the settings into a larger shape', () => {
  const larger = defineSettings({ ...shape, more: setting('svc.shop.more', textValue().default('x'), '') });
  const environment = { 'svc.internal.secret': 'a', 'svc.shop.host': '0.0.0.0' };
  expect(() => loadSettings(larger, processSources({ environment }))).toThrow('allow-insecure');
});

test.each<[string, string]>([
  ['secret', 'default-secrets'],
  ['{noop}secret', 'default-secrets'],
  ['changeme', 'default-secrets'],
  ['an-example-of-the-internal-secret', 'default-secrets'],
  ['a', 'short-secrets'],
  [SECRET.slice(1), 'short-secrets'],
  ['a'.repeat(64), 'short-secrets'],
])('the secret %s counts as %s, and its text is not in the problem', (secret, insecurity) => {
  const [found] = insecureSecret('svc.internal.secret', secret);
  expect(found?.insecurity).toBe(insecurity);
  expect(found?.problem).toMatch(/^svc\.internal\.secret: .*SVC_INTERNAL_SECRET_FILE/);
  if (secret.length > 8) expect(found?.problem).not.toContain(secret);
});

test.each([undefined, SECRET, '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA'])('%s is no bad secret', (secret) => {
  expect(insecureSecret('svc.internal.secret', secret)).toEqual([]);
});
