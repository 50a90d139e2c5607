import { type Failure, mayRepeat } from './exchange.ts';

const failed: Failure = {
  method: 'GET',
  hasBody: false,
  wasConnected: true,
  hasResponded: false,
  isTimeout: false,
  repeats: 0,
  isStream: false,
};

test('a request that has not reached a service may be repeated, with any method', () => {
  expect(mayRepeat({ ...failed, method: 'POST', hasBody: true, wasConnected: false, repeats: 1 })).toBe(true);
});

test.each<[Partial<Failure>, boolean]>([
  [{}, true],
  [{ method: 'HEAD' }, true],
  [{ method: 'POST' }, false],
  [{ method: 'PUT' }, false],
  [{ method: 'DELETE' }, false],
  [{ method: 'OPTIONS' }, false],
  [{ hasBody: true }, false],
  [{ hasResponded: true }, false],
  [{ isTimeout: true }, false],
  [{ repeats: 1 }, false],
  [{ isStream: true }, false],
])('what a service may have seen is repeated if it is GET or HEAD, once, before an answer: %j', (with_, expected) => {
  expect(mayRepeat({ ...failed, ...with_ })).toBe(expected);
});
