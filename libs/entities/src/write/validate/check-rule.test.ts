import { defineApplication } from '@lintel/application';
import { type Datatype, resolveTemplate, type ValidationRule } from '@lintel/metadata';
import { checkRule } from './check-rule.ts';

const NOW = '2026-11-21T10:20:30.400';
const { messages } = defineApplication({ id: 't', name: 'T', entities: [] });
const check = (rule: ValidationRule, value: unknown, datatype?: Datatype, locale = 'en'): string | undefined => {
  const text = checkRule(rule, value, datatype, NOW);
  return text && resolveTemplate(messages, locale, text.messageTemplate, text.parameters, 't');
};

const template = (rule: ValidationRule, value: unknown): string | undefined =>
  checkRule(rule, value, undefined, NOW)?.messageTemplate;

test('null keeps every rule but not-blank', () => {
  const rules: ValidationRule[] = [
    { kind: 'size', min: 1, max: 2 },
    { kind: 'pattern', pattern: 'x' },
    { kind: 'email' },
    { kind: 'min', value: '1', inclusive: true },
    { kind: 'past', orPresent: false },
    { kind: 'custom', message: 'm', test: () => false },
  ];
  for (const rule of rules) expect(check(rule, null)).toBeUndefined();
  expect(check({ kind: 'not-blank' }, null)).toBe('must not be blank');
});

test('a size counts characters, as the database does', () => {
  const rule: ValidationRule = { kind: 'size', min: 2, max: 3 };
  expect(check(rule, '\u{1F69A}')).toBe('size must be between 2 and 3');
  expect(check(rule, '\u{1F69A}\u{1F69A}\u{1F69A}')).toBeUndefined();
  expect(check(rule, [1, 2, 3, 4])).toBe('size must be between 2 and 3');
});

// Asserts contract/writing.md#validation.
test('a pattern must match the whole text', () => {
  expect(check({ kind: 'pattern', pattern: '\\d+' }, '12a')).toBe('must match "\\d+"');
  expect(check({ kind: 'pattern', pattern: 'a|b' }, 'ab')).toBe('must match "a|b"');
  expect(check({ kind: 'pattern', pattern: '\\d+' }, '12')).toBeUndefined();
});

test.each(['', 'a@b', 'a.b+c@example.com', 'jörg@münchen.example', 'हिन्दी@भारत.example', `${'a'.repeat(64)}@b`])(
  '%j is an e-mail address',
  (text) => {
    expect(check({ kind: 'email' }, text)).toBeUndefined();
  },
);

test.each([
  'a',
  '@b',
  'a@',
  'a@b..c',
  'a b@c',
  '.a@b',
  'a@-b',
  'a@b-',
  'a@b@c',
  'a,b@c',
  '"a"@b',
  'a@b_c',
  'a@b\n',
  `${'a'.repeat(65)}@b`,
])('%j is no e-mail address', (text) => {
  expect(check({ kind: 'email' }, text)).toBe('not a well-formed email address');
});

// Asserts contract/writing.md#validation.
test('bounds are compared exactly', () => {
  const max = (inclusive: boolean): ValidationRule => ({ kind: 'max', value: '0.3', inclusive });
  expect(check(max(true), '0.3')).toBeUndefined();
  expect(check(max(true), '0.30000000000000000001')).toBe('must be less than or equal to 0.3');
  expect(check(max(false), '0.3')).toBe('must be less than 0.3');
  expect(check({ kind: 'min', value: '9007199254740993', inclusive: true }, '9007199254740992')).toBe(
    'must be greater than or equal to 9007199254740993',
  );
  expect(check({ kind: 'min', value: '0', inclusive: false }, 0)).toBe('must be greater than 0');
  expect(check({ kind: 'max', value: '0', inclusive: false }, 0)).toBe('must be less than 0');
  expect(template({ kind: 'min', value: '0', inclusive: false }, 0)).toBe(
    '{jakarta.validation.constraints.Positive.message}',
  );
});

// Asserts contract/writing.md#validation.
test.each<[Datatype, string, string, string]>([
  ['localDate', '2026-11-20', '2026-11-21', '2026-11-22'],
  ['localDateTime', '2026-11-21T10:20:30.399', NOW, '2026-11-21T10:20:30.401'],
  ['offsetDateTime', '2026-11-21T10:20:30.399Z', `${NOW}Z`, '2026-11-21T10:20:30.401Z'],
  ['localTime', '10:20:29', '10:20:30', '10:20:31'],
])('past and future of %s', (datatype, before, present, after) => {
  const past = (orPresent: boolean): ValidationRule => ({ kind: 'past', orPresent });
  const future = (orPresent: boolean): ValidationRule => ({ kind: 'future', orPresent });
  expect(check(past(false), before, datatype)).toBeUndefined();
  expect(check(past(false), present, datatype)).toBe('must be in the past');
  expect(check(past(true), present, datatype)).toBeUndefined();
  expect(check(past(true), after, datatype)).toBe('must be in the past or in the present');
  expect(check(future(false), after, datatype)).toBeUndefined();
  expect(check(future(false), present, datatype)).toBe('must be in the future');
  expect(check(future(true), before, datatype)).toBe('must be in the future or in the present');
});

// Asserts contract/writing.md#validation.
test('a text of the application replaces the default one and is its own template', () => {
  const rule: ValidationRule = { kind: 'min', value: '1', inclusive: true, message: '{msg://tooSmall}' };
  expect([check(rule, 0), template(rule, 0)]).toEqual(['{msg://tooSmall}', '{msg://tooSmall}']);
  expect(check({ kind: 'custom', message: 'Epic fail', test: (value) => value === 1 }, 2)).toBe('Epic fail');
});

// Asserts contract/writing.md#validation.
test('default texts are there in German and Chinese', () => {
  const size: ValidationRule = { kind: 'size', min: 2, max: 3 };
  expect(check(size, 'a', undefined, 'de')).toBe('Größe muss zwischen 2 und 3 liegen');
  expect(check(size, 'a', undefined, 'zh_CN')).toBe('大小必须在 2 和 3 之间');
  const min: ValidationRule = { kind: 'min', value: '0.5', inclusive: true };
  expect(check(min, 0, undefined, 'de')).toBe('muss größer oder gleich 0.5 sein');
  expect(check({ ...min, inclusive: false }, 0, undefined, 'de')).toBe('muss größer als 0.5 sein');
});

// Asserts contract/writing.md#validation.
test("a text of the application is filled with the rule's parameters", () => {
  const rule: ValidationRule = { kind: 'size', min: 2, max: 3, message: 'not {min} to {max}: {other}' };
  expect([check(rule, 'a'), template(rule, 'a')]).toEqual(['not 2 to 3: {other}', 'not {min} to {max}: {other}']);
});
