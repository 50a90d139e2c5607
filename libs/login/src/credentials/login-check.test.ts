import { createMemoryStore } from '@lintel/cache';
import { PlatformError } from '@lintel/errors';
import { hashPassword } from '@lintel/passwords';
import { createAttemptGuard } from '../attempts/attempt-guard.ts';
import { createNameDigest } from '../attempts/name-digest.ts';
import { createLoginCheck, type DirectoryCheck } from './login-check.ts';

const outage = new PlatformError('AUTH_UNAVAILABLE', 'The password cannot be checked now');

/** A check with the local user `anna`, and `grace`, whose password is only in a directory; three failures block. */
async function start(directories: DirectoryCheck) {
  const clock = { now: () => 0 };
  const nameDigest = createNameDigest('fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19');
  const account = { locale: null, isActive: true, attributes: {} };
  const all = new Map([
    ['anna', { ...account, username: 'anna', passwordHash: await hashPassword('right') }],
    ['grace', { ...account, username: 'grace', passwordHash: '' }],
  ]);
  const events: string[] = [];
  const check = createLoginCheck({
    accounts: { find: async (username: string) => all.get(username) } as never,
    logins: {} as never,
    guard: createAttemptGuard({
      keyValues: createMemoryStore({ clock }),
      kind: 'user',
      isEnabled: true,
      maxAttempts: 3,
      blockMs: 60_000,
      maxPerName: 20,
      maxPerAddress: 20,
      intervalMs: 60_000,
      clock,
      nameDigest,
    }),
    directories,
    hashing: { run: (_caller, work) => work() },
    nameDigest,
    security: { record: (name, facts) => events.push(`${name} ${facts['nameDigest']}`), close: () => undefined },
  });
  /** `accepted`, the refusal, or the code of the error. */
  const attempt = (username: string, password: string): Promise<string> =>
    check({ username, password, address: '192.0.2.1', clientId: 'web' }).then(
      (result) => (result.kind === 'accepted' ? 'accepted' : result.refusal),
      (error: PlatformError) => error.code,
    );
  return { attempt, events };
}

describe('while a directory is unavailable', () => {
  const away: DirectoryCheck = () => Promise.reject(outage);

  // Asserts contract/tokens.md#guessing.
  test('wrong passwords of a user with a password in the database are counted', async () => {
    const { attempt, events } = await start(away);
    for (let at = 0; at < 3; at += 1) expect(await attempt('anna', `guess ${at}`)).toBe('AUTH_UNAVAILABLE');
    expect(await attempt('anna', 'right')).toBe('locked');
    expect(events.map((event) => event.split(' ', 1)[0])).toContain('login.blocked');
  });

  test('the right password of such a user is accepted', async () => {
    const { attempt } = await start(away);
    expect(await attempt('anna', 'guess')).toBe('AUTH_UNAVAILABLE');
    expect(await attempt('anna', 'right')).toBe('accepted');
  });

  // Asserts contract/tokens.md#guessing.
  test('users of the directory are not blocked by passwords that could not be checked', async () => {
    const { attempt } = await start(away);
    for (let at = 0; at < 5; at += 1) expect(await attempt('grace', 'right')).toBe('AUTH_UNAVAILABLE');
  });
});

test('an error that is no outage is not counted', async () => {
  const { attempt } = await start(() => Promise.reject(new PlatformError('INTERNAL_ERROR')));
  for (let at = 0; at < 5; at += 1) expect(await attempt('anna', 'guess')).toBe('INTERNAL_ERROR');
  expect(await attempt('anna', 'right')).toBe('accepted');
});

// Asserts contract/tokens.md#guessing.
test('spellings that a directory takes for one name share a limit and a digest', async () => {
  const { attempt, events } = await start(async () => undefined);
  for (const username of ['Grace', 'gRACE', ' grace']) expect(await attempt(username, 'guess')).toBe('bad-credentials');
  expect(await attempt('GRACE', 'guess')).toBe('locked');
  expect(new Set(events.map((event) => event.split(' ')[1])).size).toBe(1);
});
