import { decryptText, encryptText } from './encrypt-text.ts';

describe('a sealed text', () => {
  test('is opened with the same secret and context only', async () => {
    const encrypted = await encryptText('text', 'secret', 'kid-1');
    expect(encrypted.includes('text')).toBe(false);
    expect(await decryptText(encrypted, 'secret', 'kid-1')).toBe('text');
    expect(await decryptText(encrypted, 'other', 'kid-1')).toBeUndefined();
    expect(await decryptText(encrypted, 'secret', 'kid-2')).toBeUndefined();
  });

  test('differs each time, and any changed byte makes it unreadable', async () => {
    const encrypted = await encryptText('text', 'secret', 'kid');
    expect(encrypted.equals(await encryptText('text', 'secret', 'kid'))).toBe(false);
    for (const position of [0, 1, 20, 35, encrypted.length - 1]) {
      const changed = Buffer.from(encrypted);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      expect(await decryptText(changed, 'secret', 'kid')).toBeUndefined();
    }
    expect(await decryptText(encrypted.subarray(0, 10), 'secret', 'kid')).toBeUndefined();
  });
});
