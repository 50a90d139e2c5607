import { ConfigurationError, loadSettings, processSources } from '@lintel/config';
import { settings } from './config.ts';

const SECRET = 'fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19';
const OFF = { 'svc.security.bruteforceprotection.enabled': 'false' };
const EXPOSED = { ...OFF, 'svc.services.host': '0.0.0.0' };

function problemsOf(properties: Readonly<Record<string, string>>): readonly string[] {
  const base = {
    'svc.internal.secret': SECRET,
    'svc.authserver.key-encryption-secret': SECRET,
    'svc.datasource.url': 'postgres://localhost/x',
    'svc.security.profile': 'hardened',
  };
  try {
    loadSettings(settings, processSources({ environment: {}, overrides: { ...base, ...properties } }));
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

test.each([
  ['a short secret', SECRET.slice(0, 20), 'short-secrets'],
  ['a published secret', 'change-me-change-me-change-me-now', 'default-secrets'],
])('%s of stored keys is refused with the way for an installation that has such keys', (_, secret, insecurity) => {
  const exposed = { 'svc.services.host': '0.0.0.0', 'svc.authserver.key-encryption-secret': secret };
  const [problem, ...others] = problemsOf(exposed);
  expect(others).toEqual([]);
  expect(problem).toMatch(/^svc\.authserver\.key-encryption-secret: .*openssl rand -hex 32/);
  expect(problem).toContain(
    `keep the secret where the database has signing keys already, and set svc.security.allow-insecure=${insecurity}: with another secret they cannot be read`,
  );
  expect(problem).not.toContain(secret);
  expect(problemsOf({ ...exposed, 'svc.security.allow-insecure': insecurity })).toEqual([]);
});

test('the protection against guessing can be switched off on loopback, elsewhere only with no-bruteforce-protection', () => {
  expect(problemsOf(OFF)).toEqual([]);
  expect(problemsOf(EXPOSED)).toEqual([
    expect.stringMatching(
      /^svc\.security\.bruteforceprotection\.enabled: .* set it to true\. .*=no-bruteforce-protection allows it$/,
    ),
  ]);
  expect(problemsOf({ ...EXPOSED, 'svc.security.allow-insecure': 'no-bruteforce-protection' })).toEqual([]);
});

test('mails leave the machine encrypted, or by name', () => {
  const open = { 'svc.mail.smtp-host': 'smtp.acme.example', 'svc.mail.encryption': 'none' };
  const exposed = { ...open, 'svc.services.host': '0.0.0.0' };
  expect(problemsOf(open)).toEqual([]);
  expect(problemsOf(exposed)).toEqual([
    expect.stringMatching(/^svc\.mail\.encryption: .*smtp\.acme\.example in clear text.*=unencrypted-mail allows it$/),
  ]);
  for (const safe of [
    { 'svc.mail.smtp-host': '127.0.0.1' },
    { 'svc.mail.encryption': 'starttls' },
    { 'svc.security.allow-insecure': 'unencrypted-mail' },
  ])
    expect(problemsOf({ ...exposed, ...safe })).toEqual([]);
});
