import { createKeyText, hashOfKey, isKeyText, isWellFormed } from './key-text.ts';

// Asserts contract/user.md#api-keys.
test('keys are of one form, which scanners find, and differ', () => {
  const keys = Array.from({ length: 200 }, createKeyText);
  for (const key of keys)
    expect([key, isKeyText(key), isWellFormed(key)]).toEqual([
      expect.stringMatching(/^lk_[0-9A-Za-z]{49}$/),
      true,
      true,
    ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(keys.map(hashOfKey)).size).toBe(keys.length);
});

// Asserts contract/user.md#api-keys.
test('a changed character, a missing one, or another prefix is found by the checksum', () => {
  const key = createKeyText();
  const other = (at: number) => `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;
  for (const at of [3, 20, 45, 46, 51]) expect(isWellFormed(other(at))).toBe(false);
  for (const wrong of [key.slice(0, -1), `${key}0`, `LK_${key.slice(3)}`, 'lk_', '', `${key}\n`])
    expect([wrong, isWellFormed(wrong)]).toEqual([wrong, false]);
});
