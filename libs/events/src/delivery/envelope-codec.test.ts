import { decodeEnvelope } from './envelope-codec.ts';

const event = {
  specversion: '1.0',
  id: 'e1',
  source: '/lintel/data',
  type: 'data.user.changed.v1',
  time: '2026-11-21T10:00:00Z',
  datacontenttype: 'application/json',
  data: { username: 'clerk', change: 'updated' },
};
const decode = (value: unknown) => decodeEnvelope(Buffer.from(JSON.stringify(value)));

test('unknown fields of the envelope and of the data pass', () => {
  const newer = { ...event, extension: 1, data: { ...event.data, added: true } };
  expect(decode(newer)).toEqual({ envelope: newer });
});

test('an event of a type unknown here passes', () => {
  const unknown = { ...event, type: 'data.user.changed.v2', data: 7 };
  expect(decode(unknown)).toEqual({ envelope: unknown });
});

test.each([
  ['text', Buffer.from('{'), 'not JSON'],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe]), 'not JSON'],
  ['another JSON value', Buffer.from('[]'), 'not an envelope: (root)'],
])('%s is poison', (_name, bytes, poison) => {
  expect(decodeEnvelope(bytes)).toEqual({ poison });
});

test('what is wrong is named by path and never by value', () => {
  expect(decode({ ...event, specversion: '0.3', time: 'secret' })).toEqual({
    poison: 'not an envelope: specversion, time',
  });
  expect(decode({ ...event, data: { username: 1, change: 'secret' } })).toEqual({
    poison: 'data does not match data.user.changed.v1: username, change',
  });
});
