import { TemplateMemory } from './template-memory.ts';

const { signal } = new AbortController();
const memoryOf = (maxBytes: number) => new TemplateMemory({ maxBytes, maxWaitMs: 600_000 });

/** A template that is kept, with what was dropped. */
async function kept(memory: TemplateMemory, name: string, bytes: number, dropped: string[]) {
  const share = memory.open(() => dropped.push(name));
  const end = share.use();
  await share.reserve(bytes, signal);
  return { share, end };
}

test('templates that no run uses are dropped for another one, those used longest ago first', async () => {
  const memory = memoryOf(100);
  const dropped: string[] = [];
  const [a, b, c] = [
    await kept(memory, 'a', 30, dropped),
    await kept(memory, 'b', 30, dropped),
    await kept(memory, 'c', 30, dropped),
  ];
  for (const { end } of [a, b, c]) end();
  a.share.use()();
  await kept(memory, 'd', 40, dropped);
  expect([dropped, memory.bytes]).toEqual([['b'], 100]);
});

test('templates in use are not dropped: the next one waits for the end of a run', async () => {
  const memory = memoryOf(100);
  const dropped: string[] = [];
  const first = await kept(memory, 'first', 60, dropped);
  const secondRun = first.share.use();
  let isServed = false;
  const next = kept(memory, 'next', 60, dropped).then(() => {
    isServed = true;
  });
  first.end();
  first.end();
  await Promise.resolve();
  expect([isServed, dropped]).toEqual([false, []]);
  secondRun();
  await next;
  expect([dropped, memory.bytes]).toEqual([['first'], 60]);
});

test('a small template does not wait behind a large one', async () => {
  const memory = memoryOf(100);
  await kept(memory, 'first', 60, []);
  const leaving = new AbortController();
  const large = memory.open(() => undefined).reserve(70, leaving.signal);
  await kept(memory, 'small', 40, []);
  leaving.abort(new Error('the client left'));
  await expect(large).rejects.toThrow('the client left');
  expect(memory.bytes).toBe(100);
});

test('a template that was not made gives its memory back', async () => {
  const memory = memoryOf(100);
  const { share, end } = await kept(memory, 'broken', 100, []);
  const next = kept(memory, 'next', 100, []);
  end();
  share.forget();
  share.forget();
  await next;
  expect(memory.bytes).toBe(100);
});

test('a template beyond the whole limit is refused', async () => {
  await expect(
    memoryOf(100)
      .open(() => undefined)
      .reserve(101, signal),
  ).rejects.toThrow('it has 101 bytes in memory; 100 are allowed');
});

test('after the longest wait the run is refused', async () => {
  const memory = new TemplateMemory({ maxBytes: 100, maxWaitMs: 1 });
  await kept(memory, 'first', 60, []);
  await expect(kept(memory, 'next', 60, [])).rejects.toMatchObject({ code: 'REQ_OVERLOADED' });
});
