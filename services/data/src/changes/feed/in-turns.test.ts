import { setImmediate as turn } from 'node:timers/promises';
import { inTurns } from './in-turns.ts';

/** Pieces of work that end when the test says so, in a line for two. */
function setUp() {
  const inTurn = inTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = (name: string, signal = new AbortController().signal): Promise<string> =>
    inTurn(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    }, signal);
  const end = (name: string): void => ends.get(name)?.();
  return { inTurn, begun, queue, end };
}

test('two are done at a time, the others in the order in which they came', async () => {
  const { begun, queue, end } = setUp();
  const all = ['a', 'b', 'c', 'd'].map((name) => queue(name));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) end(name);
  await Promise.all([all[0], all[2]]);
  await turn();
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('who waits no longer leaves the line, and nothing is done for it', async () => {
  const { begun, queue, end } = setUp();
  const leaving = new AbortController();
  const [a, b, left, d] = [queue('a'), queue('b'), queue('left', leaving.signal), queue('d')];
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(queue('late', leaving.signal)).rejects.toThrow('gone');
  end('a');
  await a;
  await turn();
  expect(begun).toEqual(['a', 'b', 'd']);
  for (const name of ['b', 'd']) end(name);
  expect(await Promise.all([b, d])).toEqual(['b', 'd']);
});

test('work that fails gives its turn to the next', async () => {
  const inTurn = inTurns(1);
  const { signal } = new AbortController();
  const failing = inTurn(() => Promise.reject(new Error('broken')), signal);
  const next = inTurn(async () => 'next', signal);
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
