import { formatMessage } from './format-message.ts';
import { createMessages } from './messages.ts';
import { resolveTemplate } from './resolve-template.ts';

const messages = createMessages([
  {
    locale: '',
    texts: {
      'a.Size.message': 'between {min} and {max}',
      'shop/few': '{max, plural, one {# character} other {# characters}} at the most',
      plain: 'Plain',
      broken: 'a { b',
    },
  },
  { locale: 'de', texts: { 'a.Size.message': '{min} bis {max}', plain: 'Einfach' } },
]);
const resolve = (template: string, parameters: Record<string, string | number> = {}, locale = 'en') =>
  resolveTemplate(messages, locale, template, parameters, 'shop');

// Asserts contract/writing.md#validation.
test.each([
  ['{a.Size.message}', { min: 1, max: 2 }, 'between 1 and 2'],
  ['{msg://few}', { max: 1 }, '1 character at the most'],
  ['{msg://few}', { max: 5 }, '5 characters at the most'],
  ['{msg://shop/few}', { max: 5 }, '5 characters at the most'],
  ['{msg:///plain}', {}, 'Plain'],
  ['{msg://plain}', {}, 'Plain'],
  ['No: {msg:///plain}!', {}, 'No: Plain!'],
  ['Epic fail', {}, 'Epic fail'],
  ['from {min} to {max}', { min: 0, max: 9 }, 'from 0 to 9'],
  ["it's {min}", { min: '9007199254740993.10' }, "it's 9007199254740993.10"],
])('%s with %j is %j', (template, parameters, text) => {
  expect(resolve(template, parameters)).toBe(text);
});

test('the text is the one of the locale', () => {
  expect(resolve('{a.Size.message}', { min: 1, max: 2 }, 'de_AT')).toBe('1 bis 2');
});

// Asserts contract/decisions.md#50.
test.each([
  ['{msg://shop/nothing}'],
  ['{no.such.message}'],
  ['{msg:///broken}', 'a { b'],
  ['{unknown} and {toString}'],
  ['<b>{x</b>'],
])('%s cannot be filled in and breaks nothing', (template, text = template) => {
  expect(resolve(template, { min: 1 })).toBe(text);
});

test('known parameters are filled in beside unknown ones', () => {
  expect(formatMessage('{min} {other}', { min: 1 }, 'en')).toBe('1 {other}');
});

// Asserts contract/writing.md#validation.
test('plurals follow the rules of the language', () => {
  const text = '{n, plural, one {# яблоко} few {# яблока} other {# яблок}}';
  expect([1, 2, 5, 21].map((n) => formatMessage(text, { n }, 'ru'))).toEqual([
    '1 яблоко',
    '2 яблока',
    '5 яблок',
    '21 яблоко',
  ]);
});

test('tags are text', () => {
  expect(formatMessage('<{n} digits>.<b>', { n: 3 }, 'en')).toBe('<3 digits>.<b>');
});
