import type { Connection } from '../statements/submit-statement.ts';
import { KeptConnections } from './kept-connections.ts';

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

const ROUND_MS = 1_000;

/** What the pool got back: the names of connections, those to be closed with an exclamation mark. */
let given: string[];
let kept: KeptConnections;

const connectionOf = (name: string, _queryable = true): Connection =>
  ({
    _queryable,
    release: (isLost?: boolean) => void given.push(isLost === true ? `${name}!` : name),
  }) as unknown as Connection;

beforeEach(() => {
  fake.useFakeTimers();
  given = [];
  kept = new KeptConnections();
});
afterEach(() => {
  kept.close();
  fake.useRealTimers();
});

test('a connection goes back to the pool once in each round, else it is kept for the next statement', () => {
  const connection = connectionOf('one');
  expect(kept.keep(connection)).toBe(false);
  expect(kept.keep(connection)).toBe(true);
  expect(kept.take()).toBe(connection);
  expect(kept.take()).toBeUndefined();
  fake.advanceTimersByTime(ROUND_MS);
  expect(kept.keep(connection)).toBe(false);
  expect(kept.keep(connection)).toBe(true);
});

test('what is not used goes back at the end of the round, so that the pool can close it', () => {
  for (const connection of [connectionOf('one'), connectionOf('two')]) {
    kept.keep(connection);
    kept.keep(connection);
  }
  expect([kept.size, given]).toEqual([2, []]);
  fake.advanceTimersByTime(ROUND_MS);
  expect([kept.size, given]).toEqual([0, ['one', 'two']]);
});

test('a lost connection goes back to be closed, and is not taken any more', () => {
  const [lost, other] = [connectionOf('lost'), connectionOf('other')];
  for (const connection of [other, lost]) {
    kept.keep(connection);
    kept.keep(connection);
  }
  expect(kept.remove(lost)).toBe(true);
  expect(kept.remove(lost)).toBe(false);
  expect(given).toEqual(['lost!']);
  expect(kept.take()).toBe(other);
});

test('a connection that was lost during its statement goes back to the pool', () => {
  const connection = connectionOf('lost', false);
  expect(kept.keep(connection)).toBe(false);
  expect(kept.keep(connection)).toBe(false);
});

test('a close gives all connections back', () => {
  const connection = connectionOf('one');
  kept.keep(connection);
  kept.keep(connection);
  kept.close();
  expect([kept.size, given]).toEqual([0, ['one']]);
});
