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
const captionsIn = (locale: string) =>
  new Map(listCaptions(application.model, stored, application.messages, locale).map((each) => [each.target, each]));

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

test('each key is listed once, with the key to store a text with', () => {
  const captions = listCaptions(application.model, stored, application.messages, 'de');
  expect(new Set(captions.map(({ key }) => key)).size).toBe(captions.length);
  expect(captionsIn('de').get('m_Box.label')?.key).toBe('m/Box.label');
});

test('other texts are those of the files and of the database that are no captions, with what is missing', () => {
  const withOwn = messageReader(application.messages)({
    body: [
      { key: 'm/full', locale: 'de', text: 'Die Kiste ist voll' },
      { key: 'm/own', locale: 'default', text: 'Own' },
    ],
  });
  const others = (locale: string) =>
    new Map(listOtherTexts(application.model, withOwn, application.messages, locale).map((each) => [each.key, each]));
  const rule = 'lintel.validation.UserUnknown.message';
  expect(others('de').get(rule)).toMatchObject({ target: rule, source: 'platform', text: expect.any(String) });
  expect(others('de').get('m/full')).toMatchObject({ text: 'Die Kiste ist voll', source: 'database' });
  expect(others('').get('m/full')).toMatchObject({ text: 'The box is full', source: 'application' });
  expect(others('de').get('m/own')).toMatchObject({ text: null, source: null, shown: 'Own' });
  expect([...others('de').keys()].filter((key) => key.startsWith('m/Box'))).toEqual([]);
});
