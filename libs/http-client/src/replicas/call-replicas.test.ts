import { createReplicaCaller } from './call-replicas.ts';

const refused = () => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });

/** A caller of replicas of which some are down, and the addresses it has called. */
function create(urls: readonly string[], down: Set<string>) {
  let nowMs = 0;
  const called: string[] = [];
  const caller = createReplicaCaller(urls, () => nowMs);
  const call = async () => {
    called.length = 0;
    const result = await caller(async (url) => {
      called.push(url);
      if (down.has(url)) throw refused();
      return url;
    });
    return { result, called: [...called] };
  };
  return { call, called, wait: (ms: number) => (nowMs += ms) };
}

test('replicas are called by turns', async () => {
  const { call } = create(['a', 'b', 'c'], new Set());
  const results = [];
  for (let each = 0; each < 6; each += 1) results.push((await call()).result);
  expect(results.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});

test('a replica that cannot be reached costs one try, and is asked last for some seconds', async () => {
  const down = new Set(['b']);
  const { call, wait } = create(['a', 'b'], down);
  const first = [await call(), await call()];
  expect(first.map(({ result }) => result)).toEqual(['a', 'a']);
  expect(first.map(({ called }) => called)).toContainEqual(['b', 'a']);
  for (let each = 0; each < 4; each += 1) expect((await call()).called).toEqual(['a']);
  down.clear();
  wait(5_000);
  expect([(await call()).result, (await call()).result].sort()).toEqual(['a', 'b']);
});

test('the only replica is called once more, then its failure is the result', async () => {
  const { call, called } = create(['a'], new Set(['a']));
  await expect(call()).rejects.toThrow('fetch failed');
  expect(called).toEqual(['a', 'a']);
});

test('what is no failure of a connection is thrown at once', async () => {
  const caller = createReplicaCaller(['a', 'b'], () => 0);
  let calls = 0;
  const call = () =>
    caller(async () => {
      calls += 1;
      throw new DOMException('too late', 'TimeoutError');
    });
  await expect(call()).rejects.toThrow('too late');
  expect(calls).toBe(1);
});
