import { PlatformError } from '@lintel/errors';
import { userChanged } from '../../test/envelopes.ts';
import { declareCache } from './cache-declaration.ts';
import { type CacheOptions, createCache } from './create-cache.ts';

let declarations = 0;
/** Each test has caches of its own, and so a declaration of its own. */
const declare = (maxEntries = 100) =>
  declareCache({
    name: `test-${++declarations}`,
    holds: 'texts',
    where: ['data'],
    keyedBy: 'text',
    maxEntries,
    invalidatedBy: ['data.user.changed.v1'],
    staleness: 'max-staleness',
    ownWrites: 'later',
    whileAway: '',
  });

function setUp(options: Partial<CacheOptions<string, string | undefined>> = {}) {
  let nowMs = 1_000_000;
  const loaded: string[] = [];
  const cache = createCache<string, string | undefined>({
    declaration: declare(),
    load: async (key) => {
      loaded.push(key);
      return `${key}#${loaded.length}`;
    },
    maxStalenessMs: 60_000,
    clock: { now: () => nowMs },
    evict: (event) => [(event.data as { username: string }).username],
    ...options,
  });
  cache.setConnected(true);
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { cache, loaded, advance };
}

/** A load that ends when the test says so. */
function gatedLoad() {
  const gates: ((value: string) => void)[] = [];
  const load = (): Promise<string> => new Promise((resolve) => gates.push(resolve));
  return { load, finish: (index: number, value: string) => gates[index]?.(value), started: () => gates.length };
}

test('a value is loaded once and then answered from memory', async () => {
  const { cache, loaded } = setUp();
  expect(await cache.get('a')).toBe('a#1');
  expect(await cache.get('a')).toBe('a#1');
  expect(await cache.get('b')).toBe('b#2');
  expect(loaded).toEqual(['a', 'b']);
  expect(cache.statistics()).toEqual({ hits: 1, misses: 2, evictions: 0, entries: 2 });
});

test('callers that ask together share one load', async () => {
  const { load, finish, started } = gatedLoad();
  const { cache } = setUp({ load });
  const results = [cache.get('a'), cache.get('a'), cache.get('a')];
  expect(started()).toBe(1);
  finish(0, 'value');
  expect(await Promise.all(results)).toEqual(['value', 'value', 'value']);
});

test('a load that fails is answered to all who wait and is not kept', async () => {
  let fails = true;
  const load = async (): Promise<string> => {
    if (fails) throw new Error('away');
    return 'value';
  };
  const { cache } = setUp({ load });
  const results = await Promise.allSettled([cache.get('a'), cache.get('a')]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await cache.get('a')).toBe('value');
});

test('that there is no value is not kept', async () => {
  let value: string | undefined;
  const { cache } = setUp({ load: async () => value });
  expect(await cache.get('a')).toBeUndefined();
  value = 'now there';
  expect(await cache.get('a')).toBe('now there');
});

test('an entry ends at the staleness bound, counted from before its load', async () => {
  const { load, finish } = gatedLoad();
  const { cache, advance } = setUp({ load });
  const result = cache.get('a');
  advance(10_000);
  finish(0, 'first');
  await result;
  advance(49_999);
  expect(await cache.get('a')).toBe('first');
  advance(1);
  const second = cache.get('a');
  finish(1, 'second');
  expect(await second).toBe('second');
});

test('while the broker is away entries live five seconds, those loaded before included', async () => {
  const { cache, loaded, advance } = setUp();
  await cache.get('a');
  advance(5_000);
  await cache.get('a');
  expect(loaded).toHaveLength(1);
  cache.setConnected(false);
  await cache.get('a');
  expect(loaded).toHaveLength(2);
  advance(4_999);
  await cache.get('a');
  expect(loaded).toHaveLength(2);
  advance(1);
  await cache.get('a');
  expect(loaded).toHaveLength(3);
});

test('a bound shorter than five seconds holds with and without the broker', async () => {
  const { cache, loaded, advance } = setUp({ maxStalenessMs: 1_000 });
  cache.setConnected(false);
  await cache.get('a');
  advance(1_000);
  await cache.get('a');
  expect(loaded).toHaveLength(2);
});

test("an entry does not outlive its value's own end", async () => {
  const { cache, loaded, advance } = setUp({ expiresAtMs: () => 1_000_500 });
  await cache.get('a');
  advance(499);
  await cache.get('a');
  expect(loaded).toHaveLength(1);
  advance(1);
  await cache.get('a');
  expect(loaded).toHaveLength(2);
});

test('after the clock is set back, entries expire early, never late', async () => {
  const { cache, loaded, advance } = setUp();
  await cache.get('a');
  advance(-1);
  await cache.get('a');
  expect(loaded).toHaveLength(2);
});

test('an event evicts the keys it names, another event none', async () => {
  const { cache, loaded } = setUp();
  await cache.get('clerk');
  await cache.get('admin');
  cache.handleEvent(userChanged('clerk'));
  cache.handleEvent({ ...userChanged('admin'), type: 'data.assignment.changed.v1' });
  await cache.get('clerk');
  await cache.get('admin');
  expect(loaded).toEqual(['clerk', 'admin', 'clerk']);
  expect(cache.statistics().evictions).toBe(1);
});

test('without a rule for its keys an event empties the cache', async () => {
  const cache = createCache<string, string>({
    declaration: declare(),
    load: async (key) => key,
    maxStalenessMs: 60_000,
    clock: { now: () => 0 },
  });
  await cache.get('a');
  cache.handleEvent(userChanged('clerk'));
  expect(cache.statistics().entries).toBe(0);
});

test('a value whose load began before its eviction is answered but not kept', async () => {
  const { load, finish, started } = gatedLoad();
  const { cache } = setUp({ load });
  const before = cache.get('a');
  cache.handleEvent(userChanged('a'));
  const after = cache.get('a');
  expect(started()).toBe(2);
  finish(1, 'new');
  expect(await after).toBe('new');
  finish(0, 'old');
  expect(await before).toBe('old');
  expect(await cache.get('a')).toBe('new');
});

test('dropping all drops running loads too', async () => {
  const { load, finish, started } = gatedLoad();
  const { cache } = setUp({ load });
  const before = cache.get('a');
  cache.dropAll();
  finish(0, 'old');
  expect(await before).toBe('old');
  void cache.get('a');
  expect(started()).toBe(2);
});

test('the least recently used entry makes room', async () => {
  const { cache, loaded } = setUp({ declaration: declare(2) });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key);
  expect(loaded).toEqual(['a', 'b', 'c', 'b']);
});

describe('tags', () => {
  const setUpTagged = () => {
    const loaded: string[] = [];
    const { load, finish } = gatedLoad();
    let isGated = false;
    const cache = createCache<string, string, string>({
      declaration: declare(2),
      load: (key, owner) => {
        loaded.push(key);
        return isGated ? load() : Promise.resolve(owner);
      },
      maxStalenessMs: 60_000,
      clock: { now: () => 0 },
      tagOf: (owner) => owner,
      evict: (event) => ({ tags: [(event.data as { username: string }).username] }),
    });
    const gate = () => {
      isGated = true;
    };
    return { cache, loaded, finish, gate };
  };

  test('an event evicts all entries with its tag, and no others', async () => {
    const { cache, loaded } = setUpTagged();
    await cache.get('a', 'clerk');
    await cache.get('b', 'admin');
    cache.handleEvent(userChanged('clerk'));
    expect([await cache.get('a', 'clerk'), await cache.get('b', 'admin')]).toEqual(['clerk', 'admin']);
    expect(loaded).toEqual(['a', 'b', 'a']);
  });

  test('a tag is forgotten with its last entry, and follows an entry that has another one', async () => {
    const { cache, loaded } = setUpTagged();
    for (const key of ['a', 'b', 'c']) await cache.get(key, 'clerk');
    cache.evict('b');
    await cache.get('b', 'admin');
    cache.handleEvent(userChanged('clerk'));
    expect(cache.statistics().entries).toBe(1);
    await cache.get('b', 'admin');
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
  });

  test('what is being loaded may have the tag, and is not kept', async () => {
    const { cache, finish, gate } = setUpTagged();
    gate();
    const before = cache.get('a', 'clerk');
    cache.handleEvent(userChanged('clerk'));
    finish(0, 'clerk');
    expect(await before).toBe('clerk');
    expect(cache.statistics().entries).toBe(0);
  });
});

describe('loading ahead', () => {
  const setUpAhead = () => {
    const source: { result: () => Promise<string | undefined>; loaded: number } = {
      result: async () => `value ${source.loaded}`,
      loaded: 0,
    };
    const load = (): Promise<string | undefined> => {
      source.loaded += 1;
      return source.result();
    };
    return { ...setUp({ load, loadsAhead: true }), source };
  };
  const settled = () => new Promise(setImmediate);

  test('in the last quarter of its life an entry is answered and loaded anew, once', async () => {
    const { cache, advance, source } = setUpAhead();
    await cache.get('a');
    advance(44_999);
    await cache.get('a');
    expect(source.loaded).toBe(1);
    advance(1);
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['value 1', 'value 1']);
    await settled();
    expect(source.loaded).toBe(2);
    expect(await cache.get('a')).toBe('value 2');
    advance(44_999);
    expect(await cache.get('a')).toBe('value 2');
    expect(source.loaded).toBe(2);
  });

  test('while a source is unavailable, an entry stays until it expires, and the source is called twice a second; then reads fail', async () => {
    const { cache, advance, source } = setUpAhead();
    await cache.get('a');
    source.result = async () => {
      throw new PlatformError('DATA_UNAVAILABLE');
    };
    advance(45_000);
    for (let round = 0; round < 3; round += 1) {
      expect(await cache.get('a')).toBe('value 1');
      await settled();
    }
    expect(source.loaded).toBe(2);
    advance(500);
    expect(await cache.get('a')).toBe('value 1');
    await settled();
    expect(source.loaded).toBe(3);
    advance(14_500);
    await expect(cache.get('a')).rejects.toMatchObject({ status: 503 });
  });

  test.each([
    ['there is no value any more', async () => undefined],
    ['the value is refused', () => Promise.reject(new PlatformError('AUTH_INVALID_TOKEN'))],
  ])('the entry ends where %s', async (_what, result) => {
    const { cache, advance, source } = setUpAhead();
    await cache.get('a');
    source.result = result;
    advance(45_000);
    expect(await cache.get('a')).toBe('value 1');
    await settled();
    expect(cache.statistics().entries).toBe(0);
  });

  test('what an event ended meanwhile does not come back', async () => {
    const { cache, advance, source } = setUpAhead();
    await cache.get('a');
    let finish = (_value: string): void => {};
    source.result = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    advance(45_000);
    await cache.get('a');
    cache.handleEvent(userChanged('a'));
    finish('old');
    await settled();
    expect(cache.statistics().entries).toBe(0);
  });
});

describe('loads that have to be admitted', () => {
  function setUpAdmission(load: (key: string, from: string) => Promise<string>, loadsAhead = false) {
    let nowMs = 1_000_000;
    const calls: string[] = [];
    const cache = createCache<string, string, string>({
      declaration: declare(),
      load,
      loadsAhead,
      maxStalenessMs: 60_000,
      clock: { now: () => nowMs },
      admit(from) {
        calls.push(`begin ${from}`);
        if (from === 'hostile') throw new PlatformError('REQ_TOO_MANY_REQUESTS', 'too many');
        return () => void calls.push(`end ${from}`);
      },
    });
    cache.setConnected(true);
    const pass = (ms: number): void => {
      nowMs += ms;
    };
    return { cache, calls, pass };
  }

  test('are refused before they begin, and only those who wait for them', async () => {
    const { load, finish, started } = gatedLoad();
    const { cache, calls } = setUpAdmission(load);
    await expect(cache.get('a', 'hostile')).rejects.toMatchObject({ status: 429 });
    expect(started()).toBe(0);
    const first = cache.get('a', 'one');
    const joined = cache.get('a', 'hostile');
    expect(calls).toEqual(['begin hostile', 'begin one']);
    finish(0, 'A');
    expect(await Promise.all([first, joined])).toEqual(['A', 'A']);
    expect(calls).toEqual(['begin hostile', 'begin one', 'end one']);
    expect(await cache.get('a', 'hostile')).toBe('A');
  });

  test('end when they fail, too', async () => {
    const { cache, calls } = setUpAdmission(() => Promise.reject(new Error('away')));
    await expect(cache.get('a', 'one')).rejects.toThrow('away');
    expect(calls).toEqual(['begin one', 'end one']);
  });

  test('are not those that replace an entry before its end', async () => {
    const loaded: string[] = [];
    const { cache, calls, pass } = setUpAdmission(async (key) => `${key}${loaded.push(key)}`, true);
    await cache.get('a', 'one');
    pass(50_000);
    expect(await cache.get('a', 'hostile')).toBe('a1');
    expect(await cache.get('a', 'hostile')).toBe('a2');
    expect(calls).toEqual(['begin one', 'end one']);
  });
});
