import { buildModel, embeddable, embedded, entityOf, keyedEntity, localDate, long, string } from '@lintel/metadata';
import { formatEntityId, parseEntityId } from './entity-id.ts';

const model = buildModel({
  entities: [
    embeddable('t_RateKey', { attributes: { currency: string(3), validOn: localDate() } }),
    keyedEntity('t_Rate', { key: 'id', attributes: { id: embedded('t_RateKey') } }),
    keyedEntity('t_Log', { key: 'id', attributes: { id: long() } }),
  ],
});
const rate = entityOf(model, 't_Rate');

// Asserts contract/decisions.md#60, contract/instances.md#ids.
test('a composite id is base64url JSON, with or without padding, its members in any order', () => {
  const text = formatEntityId(model, rate, { validOn: '2026-01-01', currency: 'EUR' });
  expect(Buffer.from(text, 'base64url').toString()).toBe('{"currency":"EUR","validOn":"2026-01-01"}');
  expect(parseEntityId(model, rate, text)).toEqual(['EUR', '2026-01-01']);
  const other = Buffer.from('{"validOn":"2026-01-01","currency":"E"}')
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  expect(parseEntityId(model, rate, other)).toEqual(['E', '2026-01-01']);
});

// Asserts contract/decisions.md#60, contract/instances.md#ids.
test.each(['base64', 'base64url'] as const)(
  'a composite id in the alphabet %s is accepted, padded or not',
  (alphabet) => {
    // Members that the key does not have are ignored: these give characters in which the alphabets differ.
    const text = Buffer.from('{"currency":"EUR","validOn":"2026-01-01","n":"???>>>"}').toString(alphabet);
    expect(text).toMatch(alphabet === 'base64' ? /\+.*\/|\/.*\+/ : /-.*_|_.*-/);
    for (const id of [text, text.replace(/=+$/, '')])
      expect(parseEntityId(model, rate, id)).toEqual(['EUR', '2026-01-01']);
  },
);

// Asserts contract/decisions.md#60, contract/instances.md#ids.
test.each(['', '%%%', 'bm90IGpzb24', 'e30', 'W10'])('%j is no composite id', (text) => {
  expect(() => parseEntityId(model, rate, text)).toThrow('into valid entity ID');
});

// Asserts contract/decisions.md#7, contract/instances.md#ids.
test('a long id keeps every digit', () => {
  expect(parseEntityId(model, entityOf(model, 't_Log'), '9223372036854775807')).toEqual(['9223372036854775807']);
});
