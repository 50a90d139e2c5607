import { defineApplication, messageReader, withMessages } from '@lintel/application';
import { enumeration, enumOf, standardEntity, string } from '@lintel/metadata';
import { listCaptions, listOtherTexts } from './list-captions.ts';

const Size = enumeration('m.Size', { SMALL: 1 });
const application = withMessages(
  defineApplication({
    id: 'm',
    name: 'Captions',
    enums: [Size],
    entities: [
      standardEntity('m_Box', {
        attributes: { size: enumOf(Size), label: string(20), note: string(20) },
        ui: { groups: [{ name: 'texts', attributes: ['note'] }] },
      }),
    ],
  }),
  [
    { locale: '', texts: { 'm/Box': 'Box', 'm/Box.label': 'Label', 'm/full': 'The box is full' } },
    { locale: 'de', texts: { 'm/Box': 'Kiste', 'm/Size.SMALL': 'Klein', 'm/Box.ui.texts': 'Texte' } },
  ],
);
const stored = messageReader(application.messages)({
  body: [
    { key: 'm/Box.note', locale: 'de', text: 'Notiz' },
    { key: 'm/Box', locale: 'default', text: 'Crate' },
  ],
});
const sources = { messages: stored, files: application.messages, firstLocale: 'en' };
const captionsIn = (locale: string, firstLocale = 'en') =>
  new Map(listCaptions(application.model, { ...sources, firstLocale }, locale).map((each) => [each.target, each]));

// Asserts contract/messages.md#captions.
test.each([
  ['of a file', 'de', 'm_Box', 'Kiste', 'application', 'Kiste'],
  ['of the database', 'de', 'm_Box.note', 'Notiz', 'database', 'Notiz'],
  ['of the platform', 'de', 'm_Box.createdBy', 'Angelegt von', 'platform', 'Angelegt von'],
  ['that is missing, with a default text', 'de', 'm_Box.label', null, null, 'Label'],
  ['that is missing everywhere', 'de', 'm.Size', null, null, 'Size'],
  ['of a group in forms', 'de', 'm_Box.ui.texts', 'Texte', 'application', 'Texte'],
  ['of the language', 'de_AT', 'm.Size.SMALL', 'Klein', 'application', 'Klein'],
  ['of the default texts, from the database', '', 'm_Box', 'Crate', 'database', 'Crate'],
])('a caption %s', (_title, locale, target, text, source, shown) => {
  expect(captionsIn(locale).get(target)).toMatchObject({ text, source, shown });
});

test('the default texts are those of the first locale, if it has no file; those of the platform are English', () => {
  const textOf = (locale: string, firstLocale: string, target: string) =>
    captionsIn(locale, firstLocale).get(target)?.text;
  expect(['m_Box', 'm_Box.label', 'm.Size'].map((target) => textOf('en', 'en', target))).toEqual([
    'Crate',
    'Label',
    null,
  ]);
  expect(textOf('en_GB', 'en', 'm_Box.label')).toBe('Label');
  expect(textOf('fr', 'en', 'm_Box.label')).toBeNull();
  // It has a file, so the language of the default texts is another one.
  expect([textOf('de', 'de', 'm_Box.label'), textOf('en', 'de', 'm_Box.label')]).toEqual([null, null]);
  expect([textOf('en', 'de', 'm_Box.createdBy'), textOf('fr', 'fr', 'm_Box.createdBy')]).toEqual(['Created by', null]);
});

// Asserts contract/messages.md#captions.
test('each key is listed once, with the key to store a text with', () => {
  const captions = listCaptions(application.model, sources, 'de');
  expect(new Set(captions.map(({ key }) => key)).size).toBe(captions.length);
  expect(captionsIn('de').get('m_Box.label')?.key).toBe('m/Box.label');
});

// Asserts contract/messages.md#captions.
test('other texts are those of the files and of the database that are no captions, with what is missing', () => {
  const withOwn = messageReader(application.messages)({
    body: [
      { key: 'm/full', locale: 'de', text: 'Die Kiste ist voll' },
      { key: 'm/own', locale: 'default', text: 'Own' },
    ],
  });
  const others = (locale: string) =>
    new Map(
      listOtherTexts(application.model, { ...sources, messages: withOwn }, locale).map((each) => [each.key, each]),
    );
  const rule = 'lintel.validation.UserUnknown.message';
  expect(others('de').get(rule)).toMatchObject({ target: rule, source: 'platform', text: expect.any(String) });
  expect(others('de').get('m/full')).toMatchObject({ text: 'Die Kiste ist voll', source: 'database' });
  expect(others('').get('m/full')).toMatchObject({ text: 'The box is full', source: 'application' });
  expect(others('de').get('m/own')).toMatchObject({ text: null, source: null, shown: 'Own' });
  expect([...others('de').keys()].filter((key) => key.startsWith('m/Box'))).toEqual([]);
});
