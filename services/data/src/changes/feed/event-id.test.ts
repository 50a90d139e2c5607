import { createCursorCodec } from '@lintel/reading';
import { createEventIdCodec } from './event-id.ts';

const codec = createEventIdCodec(createCursorCodec({ secret: 'one', ids: { next: () => crypto.randomUUID() } }), 't_A');

test('sequence numbers are decoded as they were encoded, and the length of an id does not reveal their size', () => {
  const all = [0, 1, 9_999, Number.MAX_SAFE_INTEGER];
  const ids = all.map((sequence) => codec.encode(sequence));
  expect(ids.map((id) => codec.decode(id))).toEqual(all);
  expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
});
