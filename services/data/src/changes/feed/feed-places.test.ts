import { FeedPlaces } from './feed-places.ts';

test('a user has so many feeds, and so have all together; a place that is given back is free', () => {
  const places = new FeedPlaces({ most: 3, mostPerUser: 2 });
  const leave = places.take('a');
  places.take('a');
  expect(() => places.take('a')).toThrow(expect.objectContaining({ code: 'REQ_TOO_MANY_REQUESTS', status: 429 }));
  places.take('b');
  expect(() => places.take('b')).toThrow(expect.objectContaining({ code: 'DATA_UNAVAILABLE', status: 503 }));
  leave();
  places.take('b');
  expect(places.taken).toBe(3);
});
