import { defineApplication } from '../define-application.ts';
import { withMessages } from './load-messages.ts';
import { messageReader } from './message-reader.ts';

const { messages } = withMessages(defineApplication({ id: 't', name: 'T', entities: [] }), [
  { locale: '', texts: { 't/Car': 'Car', 't/Bus': 'Bus' } },
  { locale: 'de', texts: { 't/Car': 'Auto' } },
]);
const read = messageReader(messages);

test('a text of the database replaces the one of its locale, and the others stay', () => {
  const live = read({ body: [{ key: 't/Car', locale: 'default', text: 'Vehicle' }] });
  expect(['en', 'de'].map((locale) => live.find('t/Car', locale))).toEqual(['Vehicle', 'Auto']);
  expect(live.find('t/Bus', 'en')).toBe('Bus');
  expect(live.version).not.toBe(messages.version);
});

test('a text of the database replaces one of the platform', () => {
  const live = read({ body: [{ key: 'sec/User', locale: 'de', text: 'Person' }] });
  expect(['en', 'de', 'zh_CN'].map((locale) => live.find('sec/User', locale))).toEqual(['User', 'Person', '用户']);
});

test('an empty table changes nothing, and neither does what is no text', () => {
  expect(read({ body: [] })).toBe(messages);
  expect(read({ body: [{ key: 't/Car' }, null, 'x'] })).toBe(messages);
  expect(read({ body: null })).toBe(messages);
});
