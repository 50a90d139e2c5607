import { enumeration, enumOf, standardEntity, string } from '@lintel/metadata';
import type { Application } from '../application.ts';
import { defineApplication } from '../define-application.ts';
import { checkMessages } from './check-messages.ts';
import { loadMessages, withMessages } from './load-messages.ts';
import { parseMessages } from './parse-messages.ts';
import { PLATFORM_BUNDLES } from './platform/platform-bundles.ts';

const Colour = enumeration('shop.Colour', { RED: 'R' });
const Car = standardEntity('shop_Car', {
  attributes: { vin: string(20).size(3, 20, '{msg://shop/vinSize}'), colour: enumOf(Colour) },
});
const application = (messageFiles?: readonly string[]): Application =>
  defineApplication({
    id: 'shop',
    name: 'Shop',
    entities: [Car],
    enums: [Colour],
    resources: new URL('file:///resources/'),
    ...(messageFiles === undefined ? {} : { messageFiles }),
  });
const reader = (files: Readonly<Record<string, string>>) => async (_: Application, name: string) => files[name];

const FILES = {
  'messages.properties': 'shop/Car=Car\nshop/Car.vin=VIN\n',
  'messages_de.properties': 'shop/Car=Auto\n',
  'messages_zh.properties': 'shop/Car=车\n',
  'messages_fr.properties': 'shop/Car=Voiture\n',
};

// Asserts contract/messages.md#bundles.
test('the files of the available locales and of their languages are read', async () => {
  const requested: string[] = [];
  const { messages } = await loadMessages(application(), ['en', 'de', 'zh_CN'], async (_, name) => {
    requested.push(name);
    return FILES[name as keyof typeof FILES];
  });
  expect(requested).toEqual(['', '_en', '_de', '_zh', '_zh_CN'].map((suffix) => `messages${suffix}.properties`));
  expect(['en', 'de', 'zh_CN', 'fr'].map((locale) => messages.find('shop/Car', locale))).toEqual([
    'Car',
    'Auto',
    '车',
    'Car',
  ]);
  expect(messages.find('sec/User', 'de')).toBe('Benutzer');
});

test('files of an application that has none change nothing', async () => {
  const { messages } = await loadMessages(application(), ['en'], reader({}));
  expect(messages.find('sec/User', 'en')).toBe('User');
});

test('a file that the application names must be there', async () => {
  await expect(loadMessages(application(['texts/all']), ['en'], reader({}))).rejects.toThrow(
    'The messages of texts/all.properties are not valid: there is no such resource',
  );
});

test('later files win over earlier ones', async () => {
  const { messages } = await loadMessages(
    application(['a', 'b']),
    ['en'],
    reader({ 'a.properties': 'x=1\ny=1\n', 'b.properties': 'y=2\n' }),
  );
  expect([messages.find('x', 'en'), messages.find('y', 'en')]).toEqual(['1', '2']);
});

// Asserts contract/messages.md#bundles.
test('a messages file has the syntax of Java properties', () => {
  const { texts } = parseMessages(
    '\uFEFF# comment\n! comment\na = Z\\u00fcrich\nb: one \\\n   two\nc\\ d=x=y\n\ne=\n漢=字',
    '',
    'messages.properties',
  );
  expect(texts).toEqual({ a: 'Zürich', b: 'one two', 'c d': 'x=y', e: '', 漢: '字' });
});

test('a key with two texts is refused', () => {
  expect(() => parseMessages('a=1\nb=2\na=3\n', 'de', 'messages_de.properties')).toThrow(
    'The messages of messages_de.properties are not valid: the key a has several texts (lines 1, 3)',
  );
});

// Asserts contract/writing.md#validation.
test('every language of the platform has all its texts', () => {
  const [english, ...others] = PLATFORM_BUNDLES;
  for (const { texts } of others) expect(Object.keys(texts)).toEqual(Object.keys(english?.texts ?? {}));
});

test('the entities of the platform have captions', () => {
  const { model, messages } = application();
  const names = [...model.entities.values()].filter(({ name }) => !name.startsWith('shop_'));
  for (const entity of names) {
    const key = entity.name.replace('_', '/');
    expect(messages.find(key, 'en')).toBeDefined();
    for (const attribute of entity.attributes.keys())
      expect([
        key,
        attribute,
        messages.find(`${key}.${attribute}`, 'en') ?? messages.find(`sys/StandardEntity.${attribute}`, 'en'),
      ]).not.toContain(undefined);
  }
});

describe('the check of an application', () => {
  const complete = {
    'shop/Car': 'Car',
    'shop/Car.vin': 'VIN',
    'shop/Car.colour': 'Colour',
    'shop/Colour': 'Colour',
    'shop/Colour.RED': 'Red',
    'shop/vinSize': 'A VIN has {min} to {max} characters',
  };

  test('finds nothing where everything has a text', () => {
    const checked = withMessages(application(), [{ locale: '', texts: complete }]);
    expect(checkMessages(checked, [''])).toEqual([]);
  });

  // Asserts contract/messages.md#bundles.
  test('names what a locale lacks, what names nothing, and patterns that cannot be read', () => {
    const { 'shop/vinSize': _, ...rest } = complete;
    const checked = withMessages(application(), [
      { locale: '', texts: rest },
      { locale: 'de', texts: { ...complete, 'shop/Car.wheels': 'Räder', 'shop/Car.vin': ' ', 'shop/vinSize': '{min' } },
    ]);
    expect(checkMessages(checked, ['', 'de'])).toEqual([
      'The default file lacks shop/vinSize',
      'The file of de has no text for shop/Car.vin',
      expect.stringMatching(/^The file of de: the text of shop\/vinSize is no ICU pattern \(.+\)$/),
      'The file of de has shop/Car.wheels, which names nothing',
    ]);
  });

  test('keys that application code asks for are needed', () => {
    const checked = withMessages(application(), [{ locale: '', texts: complete }]);
    expect(checkMessages(checked, [''], ['shop/greeting'])).toEqual(['The default file lacks shop/greeting']);
  });
});
