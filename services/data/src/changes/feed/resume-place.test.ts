import { createCursorSeal } from '../../entities/paging/create-cursor-seal.ts';
import { sealedPlaces } from './resume-place.ts';

const places = sealedPlaces(createCursorSeal({ secret: 'one', ids: { next: () => crypto.randomUUID() } }), 't_A');

test('places come back as they were, and the length of an id does not tell how great they are', () => {
  const all = [0, 1, 9_999, Number.MAX_SAFE_INTEGER];
  const ids = all.map((place) => places.seal(place));
  expect(ids.map((id) => places.open(id))).toEqual(all);
  expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
});
