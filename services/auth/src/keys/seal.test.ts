import { seal, unseal } from './seal.ts';

describe('a sealed text', () => {
  test('is opened with the same secret and context only', async () => {
    const sealed = await seal('text', 'secret', 'kid-1');
    expect(sealed.includes('text')).toBe(false);
    expect(await unseal(sealed, 'secret', 'kid-1')).toBe('text');
    expect(await unseal(sealed, 'other', 'kid-1')).toBeUndefined();
    expect(await unseal(sealed, 'secret', 'kid-2')).toBeUndefined();
  });

  test('differs each time, and any changed byte makes it unreadable', async () => {
    const sealed = await seal('text', 'secret', 'kid');
    expect(sealed.equals(await seal('text', 'secret', 'kid'))).toBe(false);
    for (const position of [0, 1, 20, 35, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      expect(await unseal(changed, 'secret', 'kid')).toBeUndefined();
    }
    expect(await unseal(sealed.subarray(0, 10), 'secret', 'kid')).toBeUndefined();
  });
});
