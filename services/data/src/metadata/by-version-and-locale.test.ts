import { createMemo, declareCache } from '@lintel/cache';
import { createMessages, type Model } from '@lintel/metadata';
import { byVersionAndLocale } from './by-version-and-locale.ts';

const model = (version: string) => ({ version }) as unknown as Model;

const TEXTS = declareCache({
  name: 'test-texts',
  holds: 'texts',
  where: ['data'],
  keyedBy: 'locale',
  maxEntries: 10,
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'nothing',
});

// Asserts contract/api-documents.md#endpoints, contract/writing.md#rights.
test('a value is created once for a version of the model and the messages, and a locale', async () => {
  let current = model('1');
  let messages = createMessages([]);
  const made: string[] = [];
  const find = byVersionAndLocale(
    createMemo<string, object>(TEXTS),
    () => current,
    () => messages,
    ({ version }, _messages, locale) => {
      made.push(`${version} ${locale}`);
      return { version, locale };
    },
  );
  const first = await find('en');
  expect([await find('en'), await find('de')]).toEqual([first, { version: '1', locale: 'de' }]);
  expect(await find('en')).toBe(first);
  expect(made).toEqual(['1 en', '1 de']);
  current = model('2');
  expect(await find('en')).toEqual({ version: '2', locale: 'en' });
  messages = createMessages([{ locale: '', texts: { 'a/B': 'new' } }]);
  await find('en');
  await find('en');
  expect(made).toEqual(['1 en', '1 de', '2 en', '2 en']);
});
