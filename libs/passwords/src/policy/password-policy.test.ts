import { createPasswordPolicy } from './password-policy.ts';

const policy = createPasswordPolicy({ words: ['Workshop'] });

// Asserts contract/writing.md#password-rules.
test.each<[string, string | undefined]>([
  ['', 'too-short'],
  ['x', 'too-short'],
  ['🔑'.repeat(7), 'too-short'],
  ['password', 'common'],
  ['PassWord', 'common'],
  ['ｐａｓｓｗｏｒｄ', 'common'],
  ['iloveyou', 'common'],
  ['zzzzzzzzzzzzzz', 'predictable'],
  ['xyxyxyxyxyxyxy', 'predictable'],
  ['ghijklmnopq', 'predictable'],
  ['一丁丂七丄丅丆万', 'predictable'],
  ['ada.lovelace', 'personal'],
  ['ada.lovelace2024', 'personal'],
  ['WORKSHOP-26', 'personal'],
  ['workshopworkshop', 'personal'],
  ['workshop of the river', undefined],
  ['correct horse', undefined],
  ['tr0ub4dor&3', undefined],
  ['пароль из слов', undefined],
])('%s: %s', (password, weakness) => {
  expect(policy.weaknessOf(password, ['ada.lovelace@example.com', 'Ada', ''])).toBe(weakness);
});

test('the rules have options', () => {
  const lenient = createPasswordPolicy({ minLength: 1, refusesCommon: false });
  expect(lenient.weaknessOf('password', [])).toBeUndefined();
  expect(lenient.weaknessOf('', [])).toBe('too-short');
  expect(createPasswordPolicy({ minLength: 15 }).weaknessOf('correct horse', [])).toBe('too-short');
});

test('the length is that of the normalized text', () => {
  // Eight letters with eight combining accents are eight characters; seven ligatures are 14.
  expect(policy.weaknessOf('ábcdéfgí'.normalize('NFD'), [])).toBeUndefined();
  expect(policy.weaknessOf('ábcdéfg'.normalize('NFD'), [])).toBe('too-short');
});
