import { decoy, hashPassword, verifyDummyHash, verifyPassword } from './passwords.ts';

/** `weak` with argon2id, 8 MiB and one pass. */
const WEAK_HASH = '$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$';

describe('passwords', () => {
  test('a password is right against its own hash and wrong against another', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(stored, 'correct horse')).toEqual({ ok: true, needsRehash: false });
    expect(await verifyPassword(stored, 'correct horsf')).toEqual({ ok: false, needsRehash: false });
  });

  test('two hashes of one password differ', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  test('all spellings of a password are one; a hash of another spelling is replaced', async () => {
    const { hash } = await import('@node-rs/argon2');
    const [composed, decomposed] = ['caf\u00e9 am Fluss', 'cafe\u0301 am Fluss'];
    expect(await verifyPassword(await hashPassword(composed), decomposed)).toEqual({ ok: true, needsRehash: false });
    expect(await verifyPassword(await hashPassword(decomposed), composed)).toEqual({ ok: true, needsRehash: false });
    const earlier = await hash(decomposed, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await verifyPassword(earlier, decomposed)).toEqual({ ok: true, needsRehash: true });
    expect(await verifyPassword(earlier, `${decomposed}!`)).toEqual({ ok: false, needsRehash: false });
  });

  test('an empty, foreign or broken hash is never right and does not reject', async () => {
    for (const stored of ['', 'secret', '{noop}secret', '$2a$10$abcdefghijklmnopqrstuv', WEAK_HASH]) {
      expect(await verifyPassword(stored, 'secret')).toEqual({ ok: false, needsRehash: false });
    }
  });

  // Asserts contract/tokens.md#users.
  test('a right password with a weaker hash asks for a new hash', async () => {
    const { hash } = await import('@node-rs/argon2');
    const weak = await hash('weak', { memoryCost: 8192, timeCost: 1 });
    expect(await verifyPassword(weak, 'weak')).toEqual({ ok: true, needsRehash: true });
    expect(await verifyPassword(weak, 'wrong')).toEqual({ ok: false, needsRehash: false });
  });

  test('a password of more than 4096 bytes is refused and never right', async () => {
    const long = 'x'.repeat(4097);
    await expect(hashPassword(long)).rejects.toThrow(RangeError);
    expect(await verifyPassword(await hashPassword(''), long)).toEqual({ ok: false, needsRehash: false });
  });

  // Asserts contract/tokens.md#guessing.
  test('an unknown user costs the work of a verification: of a hash like all others', async () => {
    const costOf = (stored: string): string => stored.split('$').slice(0, 4).join('$');
    expect(costOf(await decoy())).toBe(costOf(await hashPassword('known')));
    await expect(verifyDummyHash('wrong')).resolves.toBeUndefined();
  });
});
